import * as z from 'zod/mini'
import { OPENAI_ERRORS } from '#adapters/ia/provedores/openai.ts'
import { type VoiceListener, readTranscript } from './listener.ts'

/** Models for chats do not hear. */
const MODELO = 'gpt-4o-mini-transcribe'
/** The provider reads the format from the ending of the name. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'audio/wav': 'wav',
}

const schema = z.object({
  text: z.string(),
  usage: z.optional(z.object({ input_tokens: z.optional(z.int()), output_tokens: z.optional(z.int()) })),
})

/** https://developers.openai.com/api/reference/resources/audio/subresources/transcriptions/methods/create */
export const openaiListener: VoiceListener = {
  modelFor: () => MODELO,
  hear: async ({ apiKey, baseUrl, fetch }, modelo, { bytes, mimeType }) => {
    const [type = ''] = mimeType.split(';')
    const body = new FormData()
    body.set('model', modelo)
    body.set('file', new Blob([new Uint8Array(bytes)], { type }), `audio.${ENDINGS[type] ?? 'ogg'}`)
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
    const reply = await fetch(`${baseUrl}/v1/audio/transcriptions`, { method: 'POST', headers, body })
    const { text, usage } = await readTranscript(reply, { schema, errors: OPENAI_ERRORS, apiKey })
    return {
      ...{ texto: text.trim(), isRefused: false },
      ...{ tokensEntrada: usage?.input_tokens ?? 0, tokensSaida: usage?.output_tokens ?? 0 },
    }
  },
}
