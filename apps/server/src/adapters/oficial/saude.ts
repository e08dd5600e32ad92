import * as z from 'zod/mini'
import type { NumeroOficial } from '#ports/oficial.ts'
import type { Graph } from './graph.ts'

const PRAZO_MS = 10_000

const telefoneSchema = z.object({
  display_phone_number: z.optional(z.string()),
  verified_name: z.optional(z.string()),
})

/** Reads the number's display name, which proves that the token is valid. Throws `FalhaMeta`. */
export async function apresentar(graph: Graph, { telefoneId, token }: NumeroOficial): Promise<string> {
  const caminho = `${telefoneId}?fields=display_phone_number,verified_name`
  const lido = telefoneSchema.parse(await graph.pedir({ metodo: 'GET', caminho, token, prazoMs: PRAZO_MS }))
  const partes = [lido.verified_name, lido.display_phone_number].filter((parte) => parte !== undefined && parte !== '')
  return partes.length === 0 ? telefoneId : partes.join(' · ')
}

/** Subscribes the app to this business's webhooks (POST) or unsubscribes it (DELETE). */
export async function assinarAvisos(graph: Graph, numero: NumeroOficial, metodo: 'POST' | 'DELETE'): Promise<void> {
  const { contaWhatsappId, token } = numero
  await graph.pedir({ metodo, caminho: `${contaWhatsappId}/subscribed_apps`, token, prazoMs: PRAZO_MS })
}
