package tabular

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
)

// The limits of an XLSX file in bytes: of the file, of the directory of its archive, and of one
// unpacked part.
const (
	maxXLSX          = 64 << 20
	maxXLSXDirectory = 4 << 20
	maxXLSXPart      = 1 << 30
)

// xlsxArchive is the ZIP archive of an XLSX file. Nothing is unpacked before it is read.
type xlsxArchive struct {
	ctx   context.Context
	parts map[string]*zip.File // by name in lower case
}

func openArchive(ctx context.Context, f io.ReaderAt, size int64) (*xlsxArchive, error) {
	source := &contextReaderAt{ctx: ctx, file: f, left: maxXLSXDirectory}
	archive, err := zip.NewReader(source, size)
	if err != nil {
		return nil, err
	}
	source.left = math.MaxInt64 // the directory was read, and parts have limits of their own
	a := &xlsxArchive{ctx: ctx, parts: map[string]*zip.File{}}
	for _, part := range archive.File {
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		if a.parts[name] == nil {
			a.parts[name] = part
		}
	}
	return a, nil
}

// contextReaderAt reads a file until the context ends, or until it has read too much.
type contextReaderAt struct {
	ctx  context.Context
	file io.ReaderAt
	left int64 // how many bytes may still be read
}

func (r *contextReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, fmt.Errorf("the directory of its archive has more than %d bytes", maxXLSXDirectory)
	}
	return r.file.ReadAt(p, off)
}

// xlsxPart reads an XML document of the archive. Neither a token nor the depth of the document
// makes it keep more than maxRow bytes. It checks the context whenever it unpacks more.
type xlsxPart struct {
	source  *rowReader
	decoder *xml.Decoder
	depth   int // the number of elements that are open
}

// open begins to read a part, or returns nil if the archive has no part with the given name.
func (a *xlsxArchive) open(name string) (*xlsxPart, error) {
	file := a.parts[strings.ToLower(name)]
	if file == nil {
		return nil, nil
	}
	unpacked, err := file.Open() // it is not closed, because it holds nothing but memory
	if err != nil {
		return nil, err
	}
	p := &xlsxPart{source: &rowReader{ctx: a.ctx, r: io.LimitReader(unpacked, maxXLSXPart)}}
	p.decoder = xml.NewDecoder(p.source)
	p.decoder.CharsetReader = charset.NewReaderLabel
	return p, nil
}

// each calls visit for the start of each element in a part. A missing part has no elements.
func (a *xlsxArchive) each(name string, visit func(p *xlsxPart, start xml.StartElement) error) error {
	p, err := a.open(name)
	if p == nil {
		return err
	}
	// No element has an empty name, so until reads the whole part.
	err = p.until("", func(start xml.StartElement) error { return visit(p, start) })
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// until calls visit for the start of each element before the next end of an element with the given
// name.
func (p *xlsxPart) until(name string, visit func(start xml.StartElement) error) error {
	for {
		token, err := p.next()
		switch t := token.(type) {
		case xml.StartElement:
			err = visit(t)
		case xml.EndElement:
			if t.Name.Local == name {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next token, which is valid until the next call. It counts the open elements
// instead of keeping their names.
func (p *xlsxPart) next() (xml.Token, error) {
	p.source.begin()
	token, err := p.decoder.RawToken()
	switch token.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	}
	if errors.Is(err, io.EOF) && p.depth > 0 {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

// text returns the text of the element whose start was just read. item reports that the element is
// a string item: its text is that of its elements t, without phonetic hints.
func (p *xlsxPart) text(item bool) (string, error) {
	var b []byte
	depth, inText := 1, !item
	phonetic := 0 // the depth of the open element rPh; 0 if it is not open
	for depth > 0 {
		token, err := p.next()
		if errors.Is(err, io.EOF) { // also after surplus ends of elements, which next does not notice
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			switch {
			case t.Name.Local == "rPh" && phonetic == 0:
				phonetic = depth
			case t.Name.Local == "t" && item:
				inText = phonetic == 0
			}
		case xml.EndElement:
			if depth == phonetic {
				phonetic = 0
			}
			if depth--; item {
				inText = false
			}
		case xml.CharData:
			if !inText {
				continue
			}
			if len(b)+len(t) > maxRow {
				return "", errLongRow
			}
			b = append(b, t...)
		}
	}
	if bytes.Contains(b, []byte("_x")) {
		b = escapedCharacter.ReplaceAllFunc(b, unescapeCharacter)
	}
	return string(b), nil
}

// escapedCharacter matches an escape of XLSX, such as _x000A_ for a line feed.
var escapedCharacter = regexp.MustCompile("_x[0-9A-Fa-f]{4}_")

func unescapeCharacter(escape []byte) []byte {
	n, _ := strconv.ParseUint(string(escape[2:6]), 16, 16) // the expression matches digits only
	return []byte(string(rune(n)))
}

// relationships calls visit for each part that the part with the given name refers to.
func (a *xlsxArchive) relationships(name string, visit func(id, kind, part string)) error {
	dir, base := path.Split(name)
	return a.each(dir+"_rels/"+base+".rels", func(_ *xlsxPart, start xml.StartElement) error {
		if start.Name.Local != "Relationship" {
			return nil
		}
		target := strings.ReplaceAll(attribute(start, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		kind := attribute(start, "Type")
		visit(attribute(start, "Id"), kind[strings.LastIndexByte(kind, '/')+1:],
			strings.TrimPrefix(path.Clean(target), "/"))
		return nil
	})
}

// attribute returns the value of an attribute, or "".
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
