package builtin

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// maxCandidates limits how many entries are compared with a path that does not exist.
const maxCandidates = 5000

// target returns the clean form of a requested path, and the information about the file there. If
// no file is there, the error suggests the most similar path that exists.
func (f files) target(ctx context.Context, requested string) (name string, info fs.FileInfo, err error) {
	if name, err = f.clean(requested); err != nil {
		return "", nil, err
	}
	info, err = f.stat(name)
	if _, missing := errors.AsType[*missingError](err); !missing {
		return name, info, err
	}
	near, ctxErr := f.nearest(ctx, name)
	switch {
	case ctxErr != nil:
		err = ctxErr
	case near != "":
		err = errorf("there is no %q below the root directory; did you mean %q?", shorten(name, maxEcho), near)
	}
	return "", nil, err
}

// nearest returns an existing path that is similar to the missing path name, or "". In order of
// preference, it returns a path that differs only in letter case, a path with the same last name, a
// path with a similar name in the same directory, or any similar path. nearest fails only if the
// context has ended.
func (f files) nearest(ctx context.Context, name string) (string, error) {
	w := newWalker(ctx, f, true)
	var sameName string
	var siblings, all []string
	err := w.walk(".", func(found string, _ fs.DirEntry) error {
		if len(all) == maxCandidates {
			return errStop
		}
		switch {
		case strings.EqualFold(found, name):
			sameName = found
			return errStop
		case sameName == "" && strings.EqualFold(path.Base(found), path.Base(name)):
			sameName = found
		case path.Dir(found) == path.Dir(name):
			siblings = append(siblings, path.Base(found))
		}
		all = append(all, found)
		return w.work.add(len(found) * len(name)) // about the steps that text.Nearest will need
	})
	if ctxErr := ctx.Err(); ctxErr != nil {
		return "", ctxErr
	}
	if err != nil || sameName != "" {
		return sameName, nil //nolint:nilerr // the path is missing, even if the walk fails and finds nothing similar
	}
	for _, near := range text.Nearest(path.Base(name), siblings) {
		if similarStems(name, near) {
			return path.Join(path.Dir(name), near), nil
		}
	}
	for _, near := range text.Nearest(name, all) {
		if similarStems(name, near) {
			return near, nil
		}
	}
	return "", nil
}

// similarStems reports whether the last names of two paths are similar without their extensions. A
// common directory or extension alone does not count: notes/plan.md is not similar to
// notes/todo.md.
func similarStems(a, b string) bool {
	stem := func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
	return strings.EqualFold(stem(a), stem(b)) || len(text.Nearest(stem(a), []string{stem(b)})) > 0
}
