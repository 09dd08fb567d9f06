package mcp

// MethodName lets tests of other packages call methodName.
var MethodName = methodName
