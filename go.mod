module github.com/vcpgo/vcp

go 1.26
