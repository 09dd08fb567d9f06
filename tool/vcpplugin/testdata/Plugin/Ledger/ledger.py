import json, os, sys, time

args = json.load(sys.stdin)
print(json.dumps({"status": "success", "result": f"{args['command']}: {args.get('sum')} {os.environ['LEDGER_UNIT']}", "pid": os.getpid()}), flush=True)
with open(args["file"], "w") as f:
    f.write(str(os.getpid()))
time.sleep(600)
