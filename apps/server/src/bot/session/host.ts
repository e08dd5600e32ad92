import { readPixCode } from '@balcao/engine/pedidos/pix'
import { formatReais } from '@balcao/engine/rules/loja'
import * as z from 'zod/mini'
import { MediaRefused, SendFailed } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost, SessionKeys } from '@balcao/connector/port'
import type { Config } from '@balcao/contract/entities/config'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { lineOf } from '#db/statement/line.ts'
import { contaId, linhaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { countRefused, type Lease, lineChannel, updateCredentials } from '#modules/bot/index.ts'
import {
  deleteJournalEntries,
  deleteKeysUnderLease,
  journalSealContext,
  listJournalEntries,
  listKeys,
  updateKeys,
} from '#modules/chaves/index.ts'
import { findPhone, findReplyAddress } from '#modules/enderecos/index.ts'
import { beginSends, findQuoted, mensagemMarksSchema, sentMarksOf } from '#modules/mensagens/index.ts'
import { findPedido } from '#modules/pedidos/index.ts'
import type { FencedWrite, LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import { createLookup } from '#bot/outbox/read-outbox.ts'

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

export function createHost(deps: BotDeps, { lease, whatsapp }: HostOptions, events: HostEvents): SessionHost {
  const { db, files } = deps
  const { contaId, linhaId } = lease
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
    linhaId,
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
    findOrder: async (id, code) => {
      const [pedido, pix] = [await db.read(contaId, (tx) => findPedido(tx, contaId, id)), readPixCode(code)]
      return pedido === null || pix === null ? null : { pedido, pix, total: formatReais(pedido.totalCentavos / 100) }
    },
    phoneOf: (address) => db.read(contaId, (tx) => findPhone(tx, contaId, address)),
    replyAddress: (address) => db.read(contaId, (tx) => findReplyAddress(tx, contaId, address)),
    findQuoted: (customer, serviceId) =>
      db.read(contaId, (tx) => findQuoted(tx, { contaId, channel: lineChannel(lease), customer, serviceId })),
    listSent: (from, until) => db.read(contaId, (tx) => listSent(tx, lease, { from, until })),
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
        and m.direcao = 'saida' and m.origem <> 'telefone' and ${lineOf('v')} = ${linhaId}`,
)

async function listSent(
  tx: Tx,
  { contaId, linhaId }: LineKey,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<OutboundMessage[]> {
  const rows = await listSentRows(tx, { contaId, linhaId, from, until })
  return rows.map(({ id, midia, extras, ...rest }) => ({
    idExterno: id,
    ...rest,
    ...sentMarksOf(extras),
    ...(midia === null ? {} : { midia }),
  }))
}

/** The name of the table when lines did not exist, because stored values are bound to it. */
function credentialsPlace(linhaId: string): string {
  return `bots|credenciais|${linhaId}|sessao`
}

/** Returns the connector's credentials, or null before the first pairing or when they cannot be decrypted. */
function openCredentials(deps: Pick<BotDeps, 'vault' | 'log'>, { contaId, linhaId, credenciais }: Lease): unknown {
  const sealed = z.string().safeParse(credenciais)
  if (!sealed.success) return null
  try {
    return JSON.parse(deps.vault.open(sealed.data, credentialsPlace(linhaId)))
  } catch (error) {
    deps.log.warn({ err: error, contaId, linhaId }, 'stored credentials not readable, pairing again')
    return null
  }
}

async function saveCredentials(
  deps: Pick<BotDeps, 'vault' | 'db' | 'metrics'>,
  lease: Lease,
  credentials: unknown,
): Promise<void> {
  const sealed = deps.vault.seal(JSON.stringify(credentials), credentialsPlace(lease.linhaId))
  await writeFenced(deps, lease, 'credenciais', async (tx) => (await updateCredentials(tx, { ...lease, sealed })) === 1)
}

/** Keys and journal of one session, sealed for their line and id. */
export function createSessionKeys(
  deps: Pick<BotDeps, 'db' | 'vault' | 'crashPoint' | 'metrics' | 'log'>,
  lease: Lease,
): SessionKeys {
  const { db, vault, crashPoint } = deps
  const { contaId, linhaId } = lease
  const keyPlace = (tipo: string, id: string): string => `whatsapp_chaves|valor|${linhaId}|${tipo}|${id}`
  const entryPlace = (id: string): string => journalSealContext(linhaId, id)
  /** Leaves out what cannot be read: without a key the library asks the phone for a new one. */
  const openAll = (
    rows: readonly { readonly id: string; readonly valor: string }[],
    placeOf: (id: string) => string,
  ) => {
    const opened = rows.flatMap(({ id, valor: sealed }) => {
      const valor = vault.tryOpen(sealed, placeOf(id))
      return valor === null ? [] : [{ id, valor }]
    })
    const lost = rows.length - opened.length
    if (lost > 0) deps.log.error({ contaId, linhaId, rows: lost }, 'session keys or messages not opened, key changed')
    return opened
  }

  return {
    read: async (tipo, ids) => {
      const rows = await db.read(contaId, (tx) => listKeys(tx, { linhaId, tipo, ids }))
      return new Map(openAll(rows, (id) => keyPlace(tipo, id)).map(({ id, valor }) => [id, valor]))
    },
    write: async (changes, arrivals) => {
      const sealed = {
        changes: changes.map(({ tipo, id, valor }) => ({
          tipo,
          id,
          valor: valor === null ? null : vault.seal(valor, keyPlace(tipo, id)),
        })),
        entries: arrivals.map(({ id, valor }) => ({ id, valor: vault.seal(valor, entryPlace(id)) })),
      }
      if (arrivals.length > 0) crashPoint('chegada.antes-commit')
      await writeFenced(deps, lease, 'chaves', (tx) => updateKeys(tx, lease, sealed))
      if (arrivals.length > 0) crashPoint('chegada.apos-commit')
    },
    clear: async () => {
      await writeFenced(deps, lease, 'chaves', (tx) => deleteKeysUnderLease(tx, lease))
    },
    listEntries: async () => {
      const rows = await db.read(contaId, (tx) => listJournalEntries(tx, { linhaId }))
      return openAll(rows, entryPlace)
    },
    completeEntry: async (id) => {
      await db.transaction(contaId, (tx) => deleteJournalEntries(tx, { linhaId, ids: [id] }))
    },
  }
}

/** Throws when `write` returns false, because the lease is not current. */
async function writeFenced(
  deps: Pick<BotDeps, 'db' | 'metrics'>,
  lease: Lease,
  kind: FencedWrite,
  write: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const written = await deps.db.transaction(lease.contaId, async (tx) => {
    if (await write(tx)) return true
    await countRefused(tx, deps, { kind, leases: [lease] })
    return false
  })
  if (!written) throw new Error('lease lost')
}
