import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { inscreverPushRoute } from '@balcao/contract/routes/push'
import type { InscricaoPush } from '@balcao/contract/entities/push'
import type { BodyOf } from '@balcao/contract/define-route'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
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
 * Subscriptions `i` whose session is alive, and so are their usuario `u` and conta. A logout and a removed operador count
 * at once, before their rows are deleted.
 */
export const aliveSubscriptions = sql`push_inscricoes i
join sessoes s on s.token_hash = i.sessao and s.revogada_em is null and s.expira_em > ${value('now', 'timestamptz')}
join usuarios u on u.id = i.usuario_id and u.status = 'ativo' and u.excluido_em is null
join contas c on c.id = i.conta_id and c.excluida_em is null and c.mudanca is null
  and (c.componentes_permitidos ->> 'atendimentoHumano')::boolean`

const id = value('id', 'uuid')
const usuarioId = value('usuarioId', 'uuid')

const upsertSubscription = oneValue(
  'push: upsert subscription',
  z.string(),
  sql`insert into push_inscricoes (conta_id, id, usuario_id, sessao, marca, destino, criada_em)
      values (${contaId}, ${id}, ${usuarioId}, ${value('sessao', 'bytea')}, ${value('marca', 'bytea')},
        ${value('destino', 'text')}, ${value('criadaEm', 'timestamptz')})
      on conflict (conta_id, marca) do update set usuario_id = excluded.usuario_id, sessao = excluded.sessao,
        destino = excluded.destino, criada_em = excluded.criada_em
      returning id as value`,
)

const deleteOldest = noRows(
  'push: delete oldest subscriptions',
  sql`delete from push_inscricoes where conta_id = ${contaId} and id in (
        select id from push_inscricoes where conta_id = ${contaId} and usuario_id = ${usuarioId}
        order by criada_em desc offset ${rawSql(String(SUBSCRIPTIONS_MAX))})`,
)

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
  const sessao = Buffer.from(tokenHash, 'hex')
  const row = { contaId, id: deps.ids.uuid(), usuarioId, sessao, marca, destino, criadaEm: deps.clock.now() }
  return deps.db.transaction(contaId, async (tx) => {
    const stored = await upsertSubscription(tx, row)
    await deleteOldest(tx, { contaId, usuarioId })
    return stored
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

const listOfUsuario = manyRows(
  'push: list subscriptions',
  z.object({ id: z.string(), marca: z.instanceof(Buffer), destino: z.string(), criadaEm: instant }),
  sql`select id, marca, destino, criada_em from push_inscricoes where conta_id = ${contaId} and usuario_id = ${usuarioId}
      order by criada_em desc, id`,
)

export async function listSubscriptions(
  deps: Pick<Deps, 'db' | 'vault' | 'log'>,
  { contaId, usuarioId }: Pick<Person, 'contaId' | 'usuarioId'>,
): Promise<InscricaoPush[]> {
  const rows = await deps.db.read(contaId, (tx) => listOfUsuario(tx, { contaId, usuarioId }))
  return rows.map(({ id, criadaEm, ...stored }) => {
    const destination = openDestination(deps, { contaId, ...stored })
    return { id, servico: destination === null ? '' : new URL(destination.endpoint).host, criadaEm }
  })
}

const deleteOfUsuario = noRows(
  'push: delete subscription of usuario',
  sql`delete from push_inscricoes where conta_id = ${contaId} and usuario_id = ${usuarioId} and id = ${id}`,
)

/** Throws `naoEncontrado` for a subscription of another usuario. */
export async function cancelSubscription(
  { db }: Pick<Deps, 'db'>,
  { contaId, usuarioId }: Pick<Person, 'contaId' | 'usuarioId'>,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const deleted = await db.transaction(contaId, (tx) => deleteOfUsuario(tx, { contaId, usuarioId, id }))
  if (deleted === 0) throw new AppError('naoEncontrado')
}

const deleteEnded = noRows(
  'push: delete ended subscriptions',
  sql`delete from push_inscricoes i where not exists (
        select from sessoes s join usuarios u on u.id = s.usuario_id and u.status = 'ativo' and u.excluido_em is null
        where s.token_hash = i.sessao and s.revogada_em is null and s.expira_em > ${value('now', 'timestamptz')})`,
)

export async function deleteEndedSubscriptions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.transaction('*', (tx) => deleteEnded(tx, { now: clock.now() }))
}

export const deleteSubscription = noRows(
  'push: delete subscription',
  sql`delete from push_inscricoes where conta_id = ${contaId} and id = ${id}`,
)

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
