import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { inscreverPushRoute } from '@balcao/contract/routes/push'
import type { InscricaoPush } from '@balcao/contract/entities/push'
import type { BodyOf } from '@balcao/contract/define-route'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import type { PushDestination } from '#ports/push/sender.ts'

type Person = Pick<LoginSession, 'contaId' | 'usuarioId' | 'tokenHash'>

/** Uncompressed point of the curve P-256. */
const KEY_BYTES = 65
const SECRET_BYTES = 16
/** The oldest of a usuario give way: browsers replace their address without notice. */
const SUBSCRIPTIONS_MAX = 20

const SERVICE_REFUSED =
  'O servidor não aceita o serviço de avisos deste navegador. Use o Chrome, o Edge, o Firefox ou o Safari.'

const sealContext = (contaId: string, hash: Buffer): string =>
  `push_inscricoes|destino|${contaId}|${hash.toString('hex')}`
const hashOf = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest()

/**
 * Subscriptions `i` whose session is alive, and so are their usuario `u` and conta. $1 is now. A logout and a removed
 * operador count at once, before their rows are deleted.
 */
export const ALIVE_SUBSCRIPTIONS_SQL = `push_inscricoes i
join sessoes s on s.token_hash = i.sessao and s.revogada_em is null and s.expira_em > $1
join usuarios u on u.id = i.usuario_id and u.status = 'ativo' and u.excluido_em is null
join contas c on c.id = i.conta_id and c.excluida_em is null and c.mudanca is null
  and (c.componentes_permitidos ->> 'atendimentoHumano')::boolean`

/**
 * Stores a browser of the session and returns its id. A known address keeps its id. Throws `dadosInvalidos` for an
 * address of an unknown push service, and for invalid keys.
 */
export function subscribe(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'push'>,
  { contaId, usuarioId, tokenHash }: Person,
  { endpoint, keys }: BodyOf<typeof inscreverPushRoute>,
): Promise<string> {
  requireDeliverable(deps, endpoint, keys)
  const destination: PushDestination = { endpoint, ...keys }
  const marca = hashOf(endpoint)
  const destino = deps.vault.seal(JSON.stringify(destination), sealContext(contaId, marca))
  const row = { usuarioId, sessao: Buffer.from(tokenHash, 'hex'), destino, criadaEm: deps.clock.now() }
  return deps.db.transaction(contaId, async (tx) => {
    const { id } = await tx.kysely
      .insertInto('pushInscricoes')
      .values({ contaId, id: deps.ids.uuid(), marca, ...row })
      .onConflict((conflict) => conflict.columns(['contaId', 'marca']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow()
    await deleteOldest(tx, contaId, usuarioId)
    return id
  })
}

function requireDeliverable(
  { push }: Pick<Deps, 'push'>,
  endpoint: string,
  keys: Omit<PushDestination, 'endpoint'>,
): void {
  const refuse = (caminho: string, mensagem: string): never => {
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
  }
  if (!push.mayDeliver(endpoint)) refuse('endpoint', SERVICE_REFUSED)
  const point = Buffer.from(keys.p256dh, 'base64url')
  if (point.length !== KEY_BYTES || point[0] !== 4) refuse('keys.p256dh', 'A chave do navegador é inválida.')
  if (Buffer.from(keys.auth, 'base64url').length !== SECRET_BYTES) {
    refuse('keys.auth', 'A chave do navegador é inválida.')
  }
}

async function deleteOldest(tx: Tx, contaId: string, usuarioId: string): Promise<void> {
  await tx.query(
    `delete from push_inscricoes where conta_id = $1 and id in (
       select id from push_inscricoes where conta_id = $1 and usuario_id = $2 order by criada_em desc offset $3)`,
    [contaId, usuarioId, SUBSCRIPTIONS_MAX],
  )
}

const storedSchema = z.object({ id: z.string(), marca: z.instanceof(Buffer), destino: z.string(), criada_em: z.date() })

/** The subscriptions of the usuario in all sessions, newest first, without addresses and keys. */
export async function listSubscriptions(
  deps: Pick<Deps, 'db' | 'vault' | 'log'>,
  { contaId, usuarioId }: Pick<Person, 'contaId' | 'usuarioId'>,
): Promise<InscricaoPush[]> {
  const rows = await deps.db.read(contaId, (tx) =>
    tx.rows(
      storedSchema,
      `select id, marca, destino, criada_em from push_inscricoes where conta_id = $1 and usuario_id = $2
       order by criada_em desc, id`,
      [contaId, usuarioId],
    ),
  )
  return rows.map(({ id, criada_em: em, ...stored }) => {
    const destination = openDestination(deps, { contaId, ...stored })
    return { id, servico: destination === null ? '' : new URL(destination.endpoint).host, criadaEm: em.toISOString() }
  })
}

/** Throws `naoEncontrado` for a subscription of another usuario. */
export async function cancelSubscription(
  { db }: Pick<Deps, 'db'>,
  { contaId, usuarioId }: Pick<Person, 'contaId' | 'usuarioId'>,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const { rowCount } = await db.transaction(contaId, (tx) =>
    tx.query('delete from push_inscricoes where conta_id = $1 and usuario_id = $2 and id = $3', [
      contaId,
      usuarioId,
      id,
    ]),
  )
  if (rowCount === 0) throw new AppError('naoEncontrado')
}

/** Deletes subscriptions whose session ended or whose usuario was removed. */
export async function deleteEndedSubscriptions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.transaction('*', (tx) =>
    tx.query(
      `delete from push_inscricoes i where not exists (
         select from sessoes s join usuarios u on u.id = s.usuario_id and u.status = 'ativo' and u.excluido_em is null
         where s.token_hash = i.sessao and s.revogada_em is null and s.expira_em > $1)`,
      [clock.now()],
    ),
  )
}

export async function deleteSubscription({ db }: Pick<Deps, 'db'>, contaId: string, id: string): Promise<void> {
  await db.transaction(contaId, (tx) =>
    tx.query('delete from push_inscricoes where conta_id = $1 and id = $2', [contaId, id]),
  )
}

const destinationSchema = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() })

/** Opens the sealed address. Null if its key is lost: the browser subscribes again at the next visit. */
export function openDestination(
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  { contaId, marca, destino }: { readonly contaId: string; readonly marca: Buffer; readonly destino: string },
): PushDestination | null {
  try {
    return destinationSchema.parse(JSON.parse(vault.open(destino, sealContext(contaId, marca))))
  } catch (error) {
    log.warn({ err: error, contaId }, 'push subscription not opened, key changed')
    return null
  }
}
