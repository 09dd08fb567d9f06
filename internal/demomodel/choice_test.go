package demomodel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

const itemOnly = `{"type":"object","required":["item"],"properties":{"item":{"type":"string","description":"the item"}}}`

// A method that takes things away, changes them or sends them runs only if the user says so.
func TestChangesAreMadeOnlyOnRequest(t *testing.T) {
	read := map[string]string{
		"lookup": "Looks up an item in the inventory.",
		"lookUp": "Looks up an item in the inventory.",
		"count":  "Tells how many of an item are in stock in the inventory.",
		"find":   "Finds an item in the inventory and tells how many are in stock.",
	}
	change := map[string]string{
		"delete": "Deletes an item from the inventory.",
		"remove": "Takes an item out of the inventory, so that none are in stock.",
		"purge":  "Permanently erases an item in the inventory. Look up the item before.",
		"order":  "Orders more of an item for the inventory.",
		"update": "Updates how many of an item are in stock in the inventory.",
	}
	for reader, says := range read {
		for changer, does := range change {
			methods := []tool.Method{raw(t, changer, does, itemOnly), raw(t, reader, says, itemOnly)}
			t.Run(reader+" beside "+changer, func(t *testing.T) {
				requested := planned(t, tool.Tool{ID: "inventory", Methods: methods})
				for _, question := range []string{
					"How many bolts are in stock? Look up the item bolts in the inventory",
					"Look up the item bolts in the inventory",
					"look up bolts in the inventory",
					"Find out how many of the item bolts are in the inventory",
					"Do not " + changer + " it: look up the item bolts in the inventory",
				} {
					for _, call := range requested(question) {
						require.NotContains(t, call, "inventory_"+changer, question)
					}
				}
				if strings.EqualFold(reader, "lookup") { // "look up" names this method
					require.Equal(t, []string{"inventory_" + reader + " item=bolts"}, requested("Look up the item bolts in the inventory"))
				}
				require.Equal(t, []string{"inventory_" + changer + " item=bolts"}, requested(changer+" the item bolts in the inventory"))
			})
		}
	}
	t.Run("delete alone", func(t *testing.T) {
		requested := planned(t, tool.Tool{ID: "inventory", Methods: []tool.Method{raw(t, "delete", change["delete"], itemOnly)}})
		require.Empty(t, requested("How many bolts are in stock? Look up the item bolts in the inventory"))
	})
}

// A value may be a word of the definition: an example of its author, or the method's subject.
func TestAValueMayBeAWordOfTheDefinition(t *testing.T) {
	for _, tt := range []struct{ name, method, description, parameter, question, want string }{
		{"as a sample", "count", "Counts an item.", "the item, such as bolts or nuts", "Count the item bolts", "store_count item=bolts"},
		{
			"as a sample; the question does not name the parameter", "count", "Counts an item.", "what to count, such as bolts", "Count bolts",
			"store_count item=bolts",
		},
		{
			"in the method's description", "count", "Counts bolts, nuts and screws.", "the item", "Count the item bolts",
			"store_count item=bolts",
		},
		{
			"in the method's description; the question does not name the parameter", "count", "Counts bolts, nuts and screws.", "the item",
			"How many bolts are there? Count them", "store_count item=bolts",
		},
		{"in quotation marks", "count", "Counts bolts, nuts and screws.", "the item", `Count "bolts"`, "store_count item=bolts"},
		{"in the name of another method", "count", "Counts an item.", "the item", "Count the item list", "store_count item=list"},
		{"with a colon", "count", "Counts bolts.", "the item", "count, item: bolts", "store_count item=bolts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parameters := `{"type":"object","required":["item"],"properties":{"item":{"type":"string","description":"` +
				tt.parameter + `"}}}`
			requested := planned(t, tool.Tool{ID: "store", Methods: []tool.Method{
				raw(t, tt.method, tt.description, parameters), raw(t, "list", "Lists the shelves.", `{"type":"object","properties":{}}`),
			}})
			require.Equal(t, []string{tt.want}, requested(tt.question))
		})
	}
}

// planned returns a function that returns the requests in the planner's reply to a question.
func planned(t *testing.T, tools tool.Tool) func(question string) []string {
	t.Helper()
	p := newPlanner(t)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tools))
	system := promptOf(registry, "en")
	return func(question string) []string {
		return requestsIn(t, p.Reply([]protocol.Message{system, asked(question)}))
	}
}
