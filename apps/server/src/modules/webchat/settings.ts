import { randomBytes } from 'node:crypto'
import { WEBCHAT_PADRAO, type Webchat, type WebchatInput } from '@balcao/contract/entities/webchat'
import type { LineKey } from '#ports/bots.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { findWebchat, insertWebchat, isLine, updateSecret, updateWebchat, type WebchatRow } from './repository.ts'

type SettingsDeps = Pick<Deps, 'db' | 'settings' | 'ids' | 'clock' | 'vault' | 'realtime'>

/** Folder of the script and the frame of a chat. */
export const CHAT_PATH = '/chat'

export function secretSealContext({ contaId, linhaId }: LineKey): string {
  return `webchats|segredo|${contaId}|${linhaId}`
}

/** The settings of a line, created with its public key at the first read. Throws `naoEncontrado`. */
async function ensureWebchat(tx: Tx, line: LineKey): Promise<WebchatRow> {
  if (!(await isLine(tx, line))) throw new AppError('naoEncontrado')
  const found = await findWebchat(tx, line)
  if (found !== null) return found
  await insertWebchat(tx, { ...line, ...WEBCHAT_PADRAO, chave: randomBytes(15).toString('base64url') })
  const created = await findWebchat(tx, line)
  if (created === null) throw new Error('settings of the chat not stored')
  return created
}

function toWebchat({ settings }: Pick<Deps, 'settings'>, row: WebchatRow): Webchat {
  const { chave, origens, cor, saudacao, pedirNome } = row
  const codigo = `<script async src="${settings.urlPublica}${CHAT_PATH}/${chave}/chat.js"></script>`
  return { chave, origens, cor, saudacao, pedirNome, codigo }
}

export async function readWebchat(deps: SettingsDeps, line: LineKey): Promise<Webchat> {
  return toWebchat(deps, await deps.db.transaction(line.contaId, (tx) => ensureWebchat(tx, line)))
}

export function saveWebchat(
  deps: SettingsDeps,
  session: RequestSession,
  { linhaId, ...change }: WebchatInput & Pick<LineKey, 'linhaId'>,
): Promise<Webchat> {
  const line = { contaId: session.contaId, linhaId }
  return deps.db.transaction(line.contaId, async (tx) => {
    const before = await ensureWebchat(tx, line)
    const { origens = null, ...rest } = change
    await updateWebchat(tx, { ...line, origens, change: rest })
    const after = await ensureWebchat(tx, line)
    if (origens !== null && before.origens.join() !== after.origens.join()) {
      await recordChange(tx, deps, session, { linhaId, changed: 'os sites do chat' })
    }
    return toWebchat(deps, after)
  })
}

export function createSecret(deps: SettingsDeps, session: RequestSession, linhaId: string): Promise<string> {
  const line = { contaId: session.contaId, linhaId }
  return deps.db.transaction(line.contaId, async (tx) => {
    await ensureWebchat(tx, line)
    const segredo = deps.ids.token()
    await updateSecret(tx, { ...line, segredo: deps.vault.seal(segredo, secretSealContext(line)) })
    await recordChange(tx, deps, session, { linhaId, changed: 'o segredo do chat do site' })
    return segredo
  })
}

async function recordChange(
  tx: Tx,
  deps: SettingsDeps,
  session: RequestSession,
  { linhaId, changed }: Record<'linhaId' | 'changed', string>,
): Promise<void> {
  await recordAuditoria(tx, deps, { acao: 'webchatAlterado', quem: session, detalhe: `Trocou ${changed}` })
  await insertLog(tx, deps, session.contaId, { tipo: 'user', mensagem: `${session.nome} alterou ${changed}`, linhaId })
}
