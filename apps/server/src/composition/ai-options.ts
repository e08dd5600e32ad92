import type { AddressOptions } from '#adapters/ia/addresses.ts'
import { readIaHosts } from '#modules/configuracao/index.ts'
import type { ServerOptions } from './options.ts'

export function aiOptions({ db, geminiUrl, openaiUrl, anthropicUrl, settings }: ServerOptions): AddressOptions {
  return {
    urls: { gemini: geminiUrl, openai: openaiUrl, anthropic: anthropicUrl },
    hosts: () => db.read('*', readIaHosts),
    loopback: settings.iaLoopback === true,
  }
}
