package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.outside.OutsideOutbox;
import io.weir.ledger.outside.OutsideOutbox.Result;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.HostNames;
import io.weir.server.receiver.ReceiverClient;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A name is looked up once, and what was checked is what is called. */
class ReceiverPinTest extends ApiTest {
    /** Of the addresses that are for documents: public by their form, and nobody has them. */
    private static final String PUBLIC = "203.0.113.1";

    private final List<String> asked = new ArrayList<>();

    private OutsideOutbox.Call call() {
        Flow flow = new Flow(api).extracted();
        return house.outside(settings()).outbox().lease(20).stream()
                .filter(call -> call.run().id().toString().equals(flow.run))
                .findFirst()
                .orElseThrow();
    }

    private HostNames names(String... answers) {
        asked.clear();
        return host -> {
            asked.add(host);
            return new InetAddress[] {
                InetAddress.getByName(answers[Math.min(asked.size(), answers.length) - 1])
            };
        };
    }

    private static ReceiverClient client(Receiver receiver, String host, AddressGuard guard) {
        String address = receiver.address().replace("127.0.0.1", host);
        return new ReceiverClient(address, guard, Duration.ofSeconds(1));
    }

    @Test
    void aNameThatLeadsElsewhereAMomentLaterReachesNothing() {
        OutsideOutbox.Call call = call();
        AddressGuard guard = new AddressGuard(Set.of(), names(PUBLIC, "127.0.0.1"));
        try (Receiver receiver = new Receiver();
                ReceiverClient client = client(receiver, "flips.test", guard)) {
            assertThat(client.send(call).join().result()).isEqualTo(Result.POSTPONED);
            assertThat(asked).containsExactly("flips.test");

            OutsideOutbox.Outcome second = client.send(call).join();
            assertThat(second.result()).isEqualTo(Result.REFUSED);
            assertThat(second.toString()).contains("an address that is not public");
            assertThat(asked).containsExactly("flips.test", "flips.test");
            assertThat(receiver.calls).isEmpty();
        }
    }

    @Test
    void oneOfSeveralAddressesThatIsNotPublicIsEnough() {
        OutsideOutbox.Call call = call();
        AddressGuard guard =
                new AddressGuard(Set.of(), host -> new InetAddress[] {
                    InetAddress.getByName(PUBLIC), InetAddress.getByName("10.0.0.1")
                });
        try (Receiver receiver = new Receiver();
                ReceiverClient client = client(receiver, "both.test", guard)) {
            assertThat(client.send(call).join().result()).isEqualTo(Result.REFUSED);
        }
    }

    @Test
    void aHostThatWasNamedIsCalledWhereItLeads() {
        OutsideOutbox.Call call = call();
        AddressGuard guard = new AddressGuard(Set.of("inside.test"), names("127.0.0.1"));
        try (Receiver receiver = new Receiver();
                ReceiverClient client = client(receiver, "inside.test", guard)) {
            assertThat(client.send(call).join().result()).isEqualTo(Result.TAKEN);
            assertThat(client.send(call).join().result()).isEqualTo(Result.TAKEN);
            assertThat(asked).containsExactly("inside.test", "inside.test");
            assertThat(receiver.of(call.run().id().toString())).hasSize(2);
        }
    }

    @Test
    void aNameThatLeadsNowhereIsTriedAgainLater() {
        OutsideOutbox.Call call = call();
        AddressGuard guard = new AddressGuard(Set.of(), host -> {
            throw new UnknownHostException(host);
        });
        try (Receiver receiver = new Receiver();
                ReceiverClient client = client(receiver, "nowhere.test", guard)) {
            OutsideOutbox.Outcome outcome = client.send(call).join();
            assertThat(outcome.result()).isEqualTo(Result.POSTPONED);
            assertThat(outcome.toString()).contains("unknown host nowhere.test");
        }
    }
}
