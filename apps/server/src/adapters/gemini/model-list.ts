import * as z from 'zod/mini'
import type { AvailableModel } from '#ports/ai.ts'
import { AiFailure, motivoForStatus, redact } from './failures.ts'

const modelListSchema = z.object({
  models: z.optional(
    z.array(
      z.object({
        name: z.string(),
        displayName: z.optional(z.string()),
        supportedGenerationMethods: z.optional(z.array(z.string())),
      }),
    ),
  ),
})

const NON_CHAT_MODELS = /-(tts|image|live|embedding|computer-use|native-audio|robotics)|embedding|aqa|imagen|veo/

export interface ModelListInput {
  readonly baseUrl: string
  readonly apiKey: string
  readonly geminiFetch: typeof globalThis.fetch
  readonly limit: number
}

export async function listAiModels({ baseUrl, apiKey, geminiFetch, limit }: ModelListInput): Promise<AvailableModel[]> {
  const reply = await geminiFetch(`${baseUrl}/v1beta/models?pageSize=${limit}`, {
    headers: { 'x-goog-api-key': apiKey, accept: 'application/json' },
  })
  const body = await reply.text()
  if (!reply.ok) {
    throw new AiFailure(motivoForStatus(reply.status, body), redact(`${reply.status} ${body}`, apiKey))
  }
  const parsed = modelListSchema.safeParse(parseJson(body))
  if (!parsed.success) throw new AiFailure('confusa')
  return (parsed.data.models ?? [])
    .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
    .map(({ name, displayName }) => ({ id: name.replace(/^models\//, ''), nome: displayName ?? name }))
    .filter(({ id }) => /^gemini-[\w.-]{1,100}$/.test(id) && !NON_CHAT_MODELS.test(id))
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
