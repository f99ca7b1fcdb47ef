package io.weir.testkit.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The types and methods of Java files, as the compiler's own parser sees them. */
final class JavaShape {
    private JavaShape() {}

    /**
     * A type or a method.
     *
     * @param lines from its modifiers to its last brace, without its Javadoc
     */
    record Declaration(String file, int line, String name, int lines, boolean isType) {}

    static List<Declaration> of(List<SourceFile> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> inputs = new ArrayList<>();
        for (SourceFile source : sources) {
            inputs.add(new Input(source));
        }
        JavacTask task = (JavacTask)
                compiler.getTask(null, null, new DiagnosticCollector<>(), null, null, inputs);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<Declaration> declarations = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                unit.accept(new Scanner(unit, positions, declarations), null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot parse the sources", e);
        }
        return declarations;
    }

    private static final class Scanner extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Declaration> declarations;

        Scanner(
                CompilationUnitTree unit,
                SourcePositions positions,
                List<Declaration> declarations) {
            this.unit = unit;
            this.positions = positions;
            this.declarations = declarations;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            add(method, method.getName().toString(), false);
            return super.visitMethod(method, null);
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            add(type, type.getSimpleName().toString(), true);
            return super.visitClass(type, null);
        }

        private void add(Tree tree, String name, boolean isType) {
            long start = positions.getStartPosition(unit, tree);
            long end = positions.getEndPosition(unit, tree);
            if (start < 0 || end < 0) {
                return; // made by the compiler
            }
            LineMap map = unit.getLineMap();
            int first = (int) map.getLineNumber(start);
            int last = (int) map.getLineNumber(end);
            String file = unit.getSourceFile().toUri().getPath().substring(1);
            declarations.add(new Declaration(file, first, name, last - first + 1, isType));
        }
    }

    private static final class Input extends SimpleJavaFileObject {
        private final SourceFile source;

        Input(SourceFile source) {
            super(URI.create("string:///" + source.path()), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.text();
        }
    }
}
