import * as z from 'zod/mini'
import type { ModeloDisponivel } from '#ports/ai.ts'
import { FalhaIa, motivoDoStatus, redigir } from './falhas.ts'

const listaSchema = z.object({
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

const OUTRO_TRABALHO = /-(tts|image|live|embedding|computer-use|native-audio|robotics)|embedding|aqa|imagen|veo/

export interface CatalogoInput {
  readonly baseUrl: string
  readonly apiKey: string
  readonly buscar: typeof globalThis.fetch
  readonly quantos: number
}

export async function listarModelos({ baseUrl, apiKey, buscar, quantos }: CatalogoInput): Promise<ModeloDisponivel[]> {
  const resposta = await buscar(`${baseUrl}/v1beta/models?pageSize=${quantos}`, {
    headers: { 'x-goog-api-key': apiKey, accept: 'application/json' },
  })
  const corpo = await resposta.text()
  if (!resposta.ok) {
    throw new FalhaIa(motivoDoStatus(resposta.status, corpo), redigir(`${resposta.status} ${corpo}`, apiKey))
  }
  const lido = listaSchema.safeParse(lerJson(corpo))
  if (!lido.success) throw new FalhaIa('confusa')
  return (lido.data.models ?? [])
    .filter(({ supportedGenerationMethods: metodos }) => metodos?.includes('generateContent') ?? true)
    .map(({ name, displayName }) => ({ id: name.replace(/^models\//, ''), nome: displayName ?? name }))
    .filter(({ id }) => /^gemini-[\w.-]{1,100}$/.test(id) && !OUTRO_TRABALHO.test(id))
}

function lerJson(corpo: string): unknown {
  try {
    return JSON.parse(corpo)
  } catch {
    return null
  }
}
