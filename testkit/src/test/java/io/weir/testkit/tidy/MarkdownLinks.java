package io.weir.testkit.tidy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Relative links of Markdown pages: the file must exist and, in a page, the heading too. */
final class MarkdownLinks {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)[^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern FENCE = Pattern.compile("\\s*```.*");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z+.-]*:.*");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");

    private final Repository repository;

    MarkdownLinks(Repository repository) {
        this.repository = repository;
    }

    List<Offence> broken() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile page : repository.withExtension("md")) {
            boolean fenced = false;
            for (int i = 0; i < page.lines().size(); i++) {
                String line = page.lines().get(i);
                if (FENCE.matcher(line).matches()) {
                    fenced = !fenced;
                } else if (!fenced) {
                    check(page, i + 1, line, offences);
                }
            }
        }
        return offences;
    }

    private void check(SourceFile page, int line, String text, List<Offence> offences) {
        Matcher links = LINK.matcher(CODE.matcher(text).replaceAll(""));
        while (links.find()) {
            String target = links.group(1);
            if (!SCHEME.matcher(target).matches() && !resolves(page, target)) {
                offences.add(new Offence(page.path(), line, "broken link " + target));
            }
        }
    }

    private boolean resolves(SourceFile page, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path folder = repository.root().resolve(page.path()).resolveSibling("");
        Path file = path.isEmpty() ? repository.root().resolve(page.path()) : folder.resolve(path);
        if (!Files.exists(file)) {
            return false;
        }
        if (hash < 0) {
            return true;
        }
        String found = repository.root().relativize(file.normalize()).toString().replace('\\', '/');
        return repository
                .file(found)
                .filter(linked -> anchors(linked).contains(target.substring(hash + 1)))
                .isPresent();
    }

    private static Set<String> anchors(SourceFile page) {
        Set<String> anchors = new HashSet<>();
        for (String line : page.lines()) {
            if (line.startsWith("#")) {
                String heading = line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT);
                anchors.add(NO_ANCHOR.matcher(heading).replaceAll("").replace(' ', '-'));
            }
        }
        return anchors;
    }
}
