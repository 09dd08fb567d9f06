package tool_test

import (
	"context"
	"fmt"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// This example creates a tool from a Go function. The struct defines the arguments. The registry
// finds the method by its full name, and the schema finds the argument, in any case.
func Example() {
	type in struct {
		City string `json:"city" jsonschema:"the name of the city"`
		Unit string `json:"unit" enum:"celsius,fahrenheit" default:"celsius"`
	}
	forecast, err := tool.New("forecast", "Returns tomorrow's weather in a city.",
		func(_ context.Context, in in) (string, error) {
			return fmt.Sprintf("Sun over %s, 20 degrees %s.", in.City, in.Unit), nil
		},
		tool.AgentCallable(), tool.Example(map[string]any{"city": "Oslo"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "weather", Methods: []tool.Method{forecast}}); err != nil {
		fmt.Println(err)
		return
	}

	found, err := registry.Resolve("Weather_Forecast", "", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	args, _, err := found.Entry.Method.Parameters.Object([]schema.Text{{Name: "City", Value: "Bergen"}})
	fmt.Println(found.Entry.FullName, string(args), err)
	// Output: weather_forecast {"city":"Bergen","unit":"celsius"} <nil>
}
