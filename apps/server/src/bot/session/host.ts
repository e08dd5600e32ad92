import * as z from 'zod/mini'
import { MediaRefused, SendFailed } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { Config } from '@balcao/contract/entities/config'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { Lease } from '#modules/bot/index.ts'
import { findPhone, findReplyAddress } from '#modules/enderecos/index.ts'
import { beginSends, findQuoted, mensagemMarksSchema, quotedOf } from '#modules/mensagens/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import { countRefused } from '#bot/fences.ts'
import { createLookup } from '#bot/outbox/read-outbox.ts'
import { createSessionKeys, openCredentials, saveCredentials } from './secrets.ts'

/** Events of the link, which the session handles. */
export type HostEvents = Pick<
  SessionHost,
  | 'serviceId'
  | 'linkState'
  | 'receive'
  | 'change'
  | 'identity'
  | 'receipt'
  | 'undelivered'
  | 'reactionUndelivered'
  | 'typing'
>

export interface HostOptions {
  readonly lease: Lease
  readonly whatsapp: Config['whatsapp']
}

/** Builds the host of one connector: its secrets, files and lookups, and the session's events. */
export function createHost(deps: BotDeps, { lease, whatsapp }: HostOptions, events: HostEvents): SessionHost {
  const { db, files } = deps
  const { contaId } = lease
  const begin = createLookup((ids) =>
    db.transaction(contaId, async (tx) => {
      const begun = await beginSends(tx, lease, ids)
      if (begun.size === 0) await countRefused(tx, deps, { kind: 'envio', leases: [lease] })
      return begun
    }),
  )
  return {
    ...events,
    contaId,
    chromePath: whatsapp.chromePath,
    now: () => deps.clock.now(),
    maySend: () => {
      const may = deps.fleet.maySend()
      if (may) deps.crashPoint('saida.permitida')
      return may
    },
    beginSend: async (idExterno) => {
      const begunBefore = await begin(idExterno)
      if (begunBefore === undefined) throw new SendFailed('a mensagem não espera mais envio')
      deps.crashPoint('saida.tentada')
      return begunBefore
    },
    credentials: openCredentials(deps, lease),
    saveCredentials: (credentials) => saveCredentials(deps, lease, credentials),
    keys: createSessionKeys(deps, lease),
    storeMedia: async (bytes, name) => {
      if (files === undefined) throw new MediaRefused('no file storage configured')
      return files.store(contaId, bytes, name).catch((error: unknown) => {
        throw error instanceof AppError ? new MediaRefused(error.message, { cause: error }) : error
      })
    },
    readMedia: async (url) => (await files?.read(contaId, url)) ?? null,
    phoneOf: (address) => db.read(contaId, (tx) => findPhone(tx, contaId, address)),
    replyAddress: (address) => db.read(contaId, (tx) => findReplyAddress(tx, contaId, address)),
    findQuoted: (customer, serviceId) =>
      db.read(contaId, (tx) => findQuoted(tx, { contaId, channel: lease.conector, customer, serviceId })),
    listSent: (from, until) => db.read(contaId, (tx) => listSent(tx, contaId, { from, until })),
  }
}

const listSentRows = manyRows(
  'bot: list sent mensagens',
  z.object({
    id: z.string(),
    endereco: z.string(),
    texto: z.string(),
    midia: z.nullable(midiaSchema),
    extras: z.nullable(mensagemMarksSchema),
  }),
  sql`select m.id, c.endereco, m.texto, m.midia, m.extras from mensagens m
      join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
      join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      where m.conta_id = ${contaId} and m.id between ${value('from', 'uuid')} and ${value('until', 'uuid')}
        and m.direcao = 'saida' and m.origem <> 'telefone'`,
)

async function listSent(
  tx: Tx,
  contaId: string,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<OutboundMessage[]> {
  const rows = await listSentRows(tx, { contaId, from, until })
  return rows.map(({ id, midia, extras, ...rest }) => ({
    idExterno: id,
    ...rest,
    ...quotedOf(extras),
    ...(midia === null ? {} : { midia }),
  }))
}
