package io.weir.testkit.proxy;

import java.util.Arrays;

/** Bytes that were read but not yet understood. */
final class ByteQueue {
    private byte[] bytes = new byte[1 << 12];
    private int start;
    private int end;

    void add(byte[] buffer, int length) {
        if (end + length > bytes.length) {
            byte[] target =
                    size() + length > bytes.length ? new byte[2 * (size() + length)] : bytes;
            System.arraycopy(bytes, start, target, 0, size());
            end -= start;
            start = 0;
            bytes = target;
        }
        System.arraycopy(buffer, 0, bytes, end, length);
        end += length;
    }

    int size() {
        return end - start;
    }

    byte at(int index) {
        return bytes[start + index];
    }

    int intAt(int index) {
        int at = start + index;
        return bytes[at] << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
    }

    /** Where a sequence begins; negative if it is not there. */
    int indexOf(byte[] wanted) {
        for (int i = 0; i + wanted.length <= size(); i++) {
            if (Arrays.equals(
                    bytes, start + i, start + i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    byte[] take(int count) {
        byte[] taken = Arrays.copyOfRange(bytes, start, start + count);
        start += count;
        return taken;
    }

    byte[] takeAll() {
        return take(size());
    }
}
