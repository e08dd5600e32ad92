import { registerHooks } from 'node:module'

/** Writes each loaded file of the AI SDK to the standard error. */
registerHooks({
  load: (url, context, next) => {
    const [, name] = /node_modules\/(@ai-sdk\/[\w-]+|ai)\//.exec(url) ?? []
    if (name !== undefined) process.stderr.write(`SDK ${name}\n`)
    return next(url, context)
  },
})
