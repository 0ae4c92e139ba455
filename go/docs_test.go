package bucketwheel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of docs/go.md runs, also with gnark's import line.
func TestProgramOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```go\npackage main\n")
	program, _, ended := strings.Cut(rest, "```\n")
	_, diff, hasDiff := strings.Cut(string(page), "```diff\n")
	if !found || !ended || !hasDiff {
		t.Fatal("docs/go.md has no program and no diff")
	}
	lines := strings.Split(diff, "\n")
	gnarks, ours := strings.TrimPrefix(lines[0], "-"), strings.TrimPrefix(lines[1], "+")
	if strings.Count(program, ours) != 1 {
		t.Fatalf("the program does not have the line %q once", ours)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{program, strings.Replace(program, ours, gnarks, 1)} {
		folder := t.TempDir()
		// The text that go mod tidy would write, without the network.
		text := strings.Replace(string(module), "module bucketwheel\n", "module cubic\n", 1) +
			"\nrequire bucketwheel v0.0.0\n\nreplace bucketwheel => " + here + "\n"
		for name, text := range map[string]string{"go.mod": text, "go.sum": string(sums), "main.go": "package main\n" + program} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run := exec.Command("go", "run", "-mod=mod", "-tags", buildTags, ".")
		run.Dir = folder
		if output, err := run.CombinedOutput(); err != nil || !strings.Contains(string(output), "the proof holds") {
			t.Fatalf("%v: %s", err, output)
		}
	}
}
