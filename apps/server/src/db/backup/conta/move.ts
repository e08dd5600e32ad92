import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import { requireContaId } from '#lib/file-names.ts'
import type { Vault } from '#security/vault.ts'

/** A dead node is condemned after 12 s, and a running one reads the stop within 2 s. */
const STOP_MS = 45_000
const CHECK_MS = 250
/** Nodes serve a login from memory for 1 s. */
const SESSIONS_MS = 2_000
const TRANSACTIONS_MS = 30_000

const HOLD_BOTS_SQL = `update linhas_bots set desejado = false, parada = epoca, status = 'PARADO', motivo = null, qr_code = null,
  qr_expira_em = null, conectado_como = null, desconectado_desde = null, atualizado_em = now() where conta_id = $1`

export interface MoveOptions {
  readonly contaId: string
  readonly move: string
  /** Stops bots that run. Otherwise it is refused. */
  readonly stop: boolean
}

export async function inTransaction<T>(owner: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query("begin; set local app.contas = '*'")
    const done = await fn(client)
    await client.query('commit')
    return done
  } finally {
    client.release(true)
  }
}

interface ContaRow {
  readonly excluida: boolean
  readonly mudanca: string | null
  readonly mudou_em: Date | null
  readonly mudou_para: string | null
  readonly admin: boolean
}

async function lockConta(client: PoolClient, contaId: string): Promise<ContaRow> {
  requireContaId(contaId)
  const { rows } = await client.query<ContaRow>(
    `select excluida_em is not null as excluida, mudanca, mudou_em, mudou_para,
       exists (select from usuarios u where u.conta_id = contas.id and u.tipo = 'admin') as admin
     from contas where id = $1 for update`,
    [contaId],
  )
  const [conta] = rows
  if (conta === undefined) throw new Error(`A conta ${contaId} não existe.`)
  if (conta.mudou_em !== null) {
    throw new Error(`A conta já mudou para ${conta.mudou_para ?? '?'} em ${conta.mudou_em.toISOString()}.`)
  }
  return conta
}

/**
 * Marks the conta as moving, which ends its logins and starts no bot, then waits until no request or bot of it
 * writes. Returns the move before this one, or null. Throws a Portuguese sentence if the bot runs and `stop` is
 * false, or if the conta cannot move.
 */
export async function beginMove(owner: Pool, { contaId, move, stop }: MoveOptions): Promise<string | null> {
  const before = await inTransaction(owner, async (client) => {
    const { excluida, admin, mudanca } = await lockConta(client, contaId)
    if (excluida) throw new Error('A conta foi excluída. Restaure-a antes de mudar.')
    if (admin) throw new Error('A conta de um administrador não pode mudar.')
    const { rows } = await client.query<{ ligado: boolean }>(
      `select desejado or ${BOT_HELD_SQL} as ligado from linhas_bots b where conta_id = $1 order by linha_id for update`,
      [contaId],
    )
    if (rows.some(({ ligado }) => ligado) && !stop) {
      throw new Error('O bot da conta está ligado. Pare o bot no painel, ou repita o comando com --parar.')
    }
    // Always written, so that a node that reads the bot at this moment checks it again.
    await client.query(HOLD_BOTS_SQL, [contaId])
    await client.query('update contas set mudanca = $2, mudando_desde = now() where id = $1', [contaId, move])
    return mudanca
  })
  try {
    await waitUntilStopped(owner, contaId)
    await waitForRequests(owner)
    return before
  } catch (error) {
    await setMove(owner, contaId, before)
    throw error
  }
}

async function waitUntilStopped(owner: Pool, contaId: string): Promise<void> {
  const stopped = `select from linhas_bots b where conta_id = $1 and ${BOT_HELD_SQL}`
  await waitForNone(STOP_MS, 'O bot não parou em 45 segundos. Tente de novo.', async () => {
    return inTransaction(owner, async (client) => (await client.query(stopped, [contaId])).rowCount === 0)
  })
}

/** Waits for the logins in memory, then for the transactions that began before. */
async function waitForRequests(owner: Pool): Promise<void> {
  await sleep(SESSIONS_MS)
  const { rows } = await owner.query<{ now: string }>('select now()::text as now')
  const since = rows[0]?.now ?? ''
  const older = `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    and pid <> pg_backend_pid() and state <> 'idle' and xact_start < $1::timestamptz`
  await waitForNone(TRANSACTIONS_MS, 'O banco tem uma transação aberta há muito tempo. Tente de novo.', async () => {
    return (await owner.query(older, [since])).rowCount === 0
  })
}

async function waitForNone(limitMs: number, sentence: string, isNone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isNone())) {
    if (performance.now() > end) throw new Error(sentence)
    await sleep(CHECK_MS)
  }
}

/** Sets the mark of a move, or clears it with null: then the conta works again. */
export async function setMove(owner: Pool, contaId: string, move: string | null): Promise<void> {
  await inTransaction(owner, (client) =>
    client.query(
      `update contas set mudanca = $2, mudando_desde = case when $2::uuid is null then null else mudando_desde end
       where id = $1`,
      [contaId, move],
    ),
  )
}

/** Cancels a move that was not confirmed. Throws a Portuguese sentence if there is none. */
export async function cancelMove(owner: Pool, contaId: string): Promise<void> {
  const { mudanca } = await inTransaction(owner, (client) => lockConta(client, contaId))
  if (mudanca === null) throw new Error('A conta não está mudando.')
  await setMove(owner, contaId, null)
}

export interface Confirmation {
  readonly contaId: string
  readonly receipt: string
  readonly vault: Pick<Vault, 'isSigned'>
  readonly auditId: string
}

/**
 * Records where the conta went and marks it as deleted. Retention erases it after 30 days, and it cannot be restored.
 * Returns the address of the target. Throws a Portuguese sentence if the receipt is of another move.
 */
export function confirmMove(owner: Pool, { contaId, receipt, vault, auditId }: Confirmation): Promise<string> {
  return inTransaction(owner, async (client) => {
    const { mudanca } = await lockConta(client, contaId)
    if (mudanca === null) throw new Error('A conta não está mudando.')
    const to = openReceipt(vault, receipt, { contaId, move: mudanca })
    if (to === null) throw new Error('O recibo não é desta mudança: confira o texto, a conta e o APP_SECRET.')
    // The e-mail addresses are free again, so the people cannot come back here.
    await client.query(
      'update usuarios set excluido_em = now(), volta_com_conta = false where conta_id = $1 and excluido_em is null',
      [contaId],
    )
    await client.query('update contas set mudou_em = now(), mudou_para = $2, excluida_em = now() where id = $1', [
      contaId,
      to,
    ])
    await client.query(
      `insert into auditoria (id, em, acao, conta_id, alvo_id, alvo_nome, detalhe)
       select $2, now(), 'contaMudada', id, id, empresa, $3 from contas where id = $1`,
      [contaId, auditId, `Mudou para ${to}`.slice(0, 300)],
    )
    return to
  })
}

/** Statement of the target that it imported the conta. `to` is its public address. */
interface MoveReceipt {
  readonly contaId: string
  readonly move: string
  readonly to: string
}

const signedText = ({ contaId, move, to }: MoveReceipt): string => `mudanca|${contaId}|${move}|${to}`

export function encodeReceipt(vault: Pick<Vault, 'sign'>, receipt: MoveReceipt): string {
  return `${Buffer.from(receipt.to).toString('base64url')}.${vault.sign(signedText(receipt))}`
}

/** Returns the address of the target. Null: not a receipt of this move. */
function openReceipt(vault: Pick<Vault, 'isSigned'>, text: string, move: Omit<MoveReceipt, 'to'>): string | null {
  const [address = '', signature = ''] = text.split('.')
  const to = Buffer.from(address, 'base64url').toString()
  return vault.isSigned(signedText({ ...move, to }), signature) ? to : null
}
