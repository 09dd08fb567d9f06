package reference_test

// vcpKnown are the differences that the dialect does not settle, none now. A shape begins with the
// options.
var vcpKnown []known

// hermesKnown are those of the Hermes form.
var hermesKnown []known
