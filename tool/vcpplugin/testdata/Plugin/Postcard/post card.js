// Prints noise around its reply, as real plug-ins do.
let input = ''
process.stdin.on('data', d => { input += d })
process.stdin.on('end', () => {
  const args = JSON.parse(input)
  console.log('loading {"progress": 1}')
  console.error('working with key ' + process.env.POSTCARD_KEY)
  const e = process.env
  if (args.command === 'write') {
    const seen = {
      args, argv: process.argv.slice(2), cwd: require('path').basename(process.cwd()),
      config: [e.POSTCARD_GREETING, e.POSTCARD_COPIES, e.POSTCARD_COLOR, e.POSTCARD_SIGNATURE],
      secret: e.VCP_TEST_SECRET ?? null, allowed: e.VCP_TEST_ALLOWED ?? null, base: require('path').basename(e.PROJECT_BASE_PATH),
    }
    console.log(JSON.stringify({status: 'success', result: JSON.stringify(seen)}))
  } else if (args.command === 'draw_it') {
    console.log(JSON.stringify({status: 'success', result: {
      content: [{type: 'text', text: 'A card.'}, {type: 'image_url', image_url: {url: 'data:image/png;base64,iVBORw0KGgo='}},
        {type: 'image_url', image_url: {url: 'https://example.org/x.png'}}],
      details: {size: 8},
    }}, null, 2))
  } else {
    console.log(JSON.stringify({status: 'error', error: `no stamps; the key ${e.POSTCARD_KEY} has expired`}))
    process.exitCode = 3
  }
  console.log('done }')
})
