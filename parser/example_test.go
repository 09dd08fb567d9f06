package parser_test

import (
	"fmt"
	"iter"
	"log"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

const timeRequest = `One moment.
<<<[TOOL_REQUEST]>>>
tool_name:「始」clock_now「末」,
zone：「始」Asia/Shanghai「末」
<<<[END_TOOL_REQUEST]>>>`

// A whole reply is read with one call. Repairs, here of a full-width colon, are reported.
func ExampleParseToolRequests() {
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, timeRequest, parser.Options{Finish: protocol.FinishStop})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("text %q\n", reply.Text)
	for _, request := range reply.Requests {
		fmt.Println(request.Status, request.ToolName, request.Arguments[0].Value, request.Repairs[0].Name)
	}
	// Output:
	// text "One moment.\n"
	// ready clock_now Asia/Shanghai separator
}

// While a reply streams, its events are for display. Which requests may run is known at its end.
func ExampleEvents() {
	o := parser.Options{Finish: protocol.FinishStop}
	for event, err := range parser.Events(vcp.Protocol{}, pieces(timeRequest), o) {
		if err != nil {
			log.Fatal(err) // the stream failed: nothing of it may run
		}
		switch event.Kind {
		case parser.EventText:
			fmt.Printf("%s", event.Data)
		case parser.EventRequestStarted:
			fmt.Printf("[%s …]\n", event.Name)
		case parser.EventReply:
			for _, request := range event.Reply.Ready() {
				fmt.Println("run", request.ToolName, request.Arguments)
			}
		}
	}
	// Output:
	// One moment.
	// [clock_now …]
	// run clock_now [{zone Asia/Shanghai plain}]
}

// Feed and Close read a reply without an iterator. Reset prepares the parser for the next reply.
func ExampleParser() {
	p, err := parser.New(vcp.Protocol{}, parser.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var events []parser.Event
	for piece, err := range pieces(timeRequest) {
		if err != nil {
			log.Fatal(err)
		}
		events = p.Feed(events[:0], piece)
		for _, event := range events {
			fmt.Println(event.Kind)
		}
	}
	_, reply := p.Close(events[:0], protocol.FinishStop)
	fmt.Println(len(reply.Ready()), "to run")

	if err := p.Reset(vcp.Protocol{}, parser.Options{}); err != nil {
		log.Fatal(err)
	}
	p.Feed(nil, []byte("It is noon."))
	_, reply = p.Close(nil, protocol.FinishStop)
	fmt.Println(reply.Text)
	// Output:
	// text
	// request_started
	// argument_delta
	// argument_delta
	// request_done
	// 1 to run
	// It is noon.
}

// pieces takes the place of a server: it yields the text in pieces of 24 bytes.
func pieces(text string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for len(text) > 0 {
			n := min(24, len(text))
			if !yield([]byte(text[:n]), nil) {
				return
			}
			text = text[n:]
		}
	}
}
