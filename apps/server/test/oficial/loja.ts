import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { oficialSchema } from '@balcao/contract/entities/oficial'
import type { Casa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { aviso, entregarAviso, type MetaFalsa, type MensagemNaMeta } from './meta-falsa.ts'

const salvaSchema = z.object({ oficial: oficialSchema })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

export interface Loja {
  readonly webhook: (casa: Casa) => string
  readonly verificacao: string
}

export async function preencher({ pedir }: Casa, meta: MetaFalsa): Promise<Loja> {
  const dados = { ...meta.numero, token: meta.token ?? '', segredo: meta.segredo }
  const { webhook } = salvaSchema.parse((await pedir('PUT', '/whatsapp-oficial', dados)).body).oficial
  const caminho = new URL(webhook?.url ?? '').pathname
  return { webhook: (casa) => `${casa.url}${caminho}`, verificacao: webhook?.verificacao ?? '' }
}

export async function abrirLoja(casa: Casa, meta: MetaFalsa): Promise<Loja> {
  const { config } = configRespostaSchema.parse((await casa.pedir('GET', '/config')).body)
  await casa.pedir('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja', conector: 'oficial' },
    menu: { ...config.menu, digitando: false },
  })
  const loja = await preencher(casa, meta)
  await casa.pedir('POST', '/bot/iniciar')
  await conectada(casa)
  return loja
}

export const conectada = (casa: Casa) =>
  ate(async () => (await casa.pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')

export interface ClienteDaMeta {
  readonly numero: string
  /** Delivers one message; `resto` is its type and content. Returns the HTTP status of the webhook. */
  readonly manda: (resto: object, id?: string) => Promise<number>
  readonly diz: (texto: string, id?: string) => Promise<number>
  readonly recebidas: () => MensagemNaMeta[]
  readonly leu: (quantas: number) => Promise<string[]>
}

export interface ClienteOptions {
  readonly casa: () => Casa
  readonly loja: () => Loja
  readonly meta: MetaFalsa
  readonly nome: string
  readonly numero: string
}

export function createClienteDaMeta({ casa, loja, meta, nome, numero }: ClienteOptions): ClienteDaMeta {
  const manda: ClienteDaMeta['manda'] = (resto, id = `wamid.${randomUUID()}`) => {
    const contacts = [{ profile: { name: nome }, wa_id: numero }]
    const mensagem = { from: numero, id, timestamp: String(Math.floor(Date.now() / 1000)), ...resto }
    return entregarAviso(loja().webhook(casa()), aviso(meta, { contacts, messages: [mensagem] }), meta.segredo)
  }
  const recebidas = (): MensagemNaMeta[] => meta.mensagens.filter(({ to }) => to === numero)
  return {
    numero,
    manda,
    diz: (texto, id) => manda({ type: 'text', text: { body: texto } }, id),
    recebidas,
    leu: async (quantas) => {
      await ate(() => recebidas().length >= quantas)
      return recebidas().map(({ text }) => text?.body ?? '')
    },
  }
}

export function contarStatus(
  { casa, loja, meta }: Pick<ClienteOptions, 'casa' | 'loja' | 'meta'>,
  mensagem: Pick<MensagemNaMeta, 'wamid' | 'to' | 'biz_opaque_callback_data'>,
  status: 'sent' | 'delivered' | 'read' | { readonly falhou: number },
): Promise<number> {
  const { wamid: id, to, biz_opaque_callback_data: marca } = mensagem
  const errors = typeof status === 'object' ? [{ code: status.falhou, title: 'no' }] : undefined
  const statuses = [
    {
      ...{ id, recipient_id: to, timestamp: String(Math.floor(Date.now() / 1000)), biz_opaque_callback_data: marca },
      status: typeof status === 'object' ? 'failed' : status,
      ...(errors === undefined ? {} : { errors }),
    },
  ]
  return entregarAviso(loja().webhook(casa()), aviso(meta, { statuses }), meta.segredo)
}
