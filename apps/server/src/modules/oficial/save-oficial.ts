import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type RequestSession, requireStepUp } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { resolveSentKey, lockConta, maskKey } from '#modules/configuracao/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { type OficialLine, findOficialLine, upsertOficialLine, readableSecret, sealSecret } from './repository.ts'

type OficialDeps = Pick<Deps, 'db' | 'vault' | 'ids' | 'clock' | 'settings' | 'realtime'>

export const WEBHOOK_PATH = '/api/webhooks/oficial'

export async function readOficial(
  tx: Tx,
  { vault, settings }: Pick<OficialDeps, 'vault' | 'settings'>,
  line: LineKey,
): Promise<Oficial> {
  const conta = await findOficialLine(tx, line)
  const { linhaId } = line
  if (conta === null) return { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }
  return {
    telefoneId: conta.telefoneId,
    contaWhatsappId: conta.contaWhatsappId,
    token: maskKey(readableSecret(vault, linhaId, 'token', conta.token)),
    segredo: maskKey(readableSecret(vault, linhaId, 'segredo', conta.segredo)),
    webhook: {
      url: `${settings.urlPublica}${WEBHOOK_PATH}/${conta.endereco}`,
      verificacao: readableSecret(vault, linhaId, 'verificacao', conta.verificacao),
    },
  }
}

/**
 * Saves the settings. Masked keys keep their stored value. The webhook address is created with the first save and
 * never changes.
 */
export function saveOficial(
  deps: OficialDeps,
  session: RequestSession,
  { linhaId, ...input }: OficialInput & Pick<LineKey, 'linhaId'>,
): Promise<Oficial> {
  const { db, vault } = deps
  const { contaId } = session
  const line = { contaId, linhaId }
  return db.transaction(contaId, async (tx) => {
    // Serialises saves, because masked keys are read from the stored row.
    await lockConta(tx, contaId)
    const current = (await findOficialLine(tx, line)) ?? newOficialLine(deps, line)
    const open = (qual: 'token' | 'segredo'): string => readableSecret(vault, linhaId, qual, current[qual])
    const [token, segredo] = [
      resolveSentKey(open('token'), input.token),
      resolveSentKey(open('segredo'), input.segredo),
    ]
    const changes = { token: open('token') !== token, segredo: open('segredo') !== segredo }
    if (changes.token || changes.segredo) requireStepUp(session, deps.clock.now())
    const isVerifiable = readableSecret(vault, linhaId, 'verificacao', current.verificacao) !== ''
    await upsertOficialLine(tx, {
      ...current,
      verificacao: isVerifiable ? current.verificacao : sealSecret(vault, linhaId, 'verificacao', deps.ids.token()),
      telefoneId: input.telefoneId,
      contaWhatsappId: input.contaWhatsappId,
      token: sealSecret(vault, linhaId, 'token', token),
      segredo: sealSecret(vault, linhaId, 'segredo', segredo),
    })
    await recordChange(tx, deps, session, [
      ...(current.telefoneId === input.telefoneId ? [] : ['número']),
      ...(current.contaWhatsappId === input.contaWhatsappId ? [] : ['conta do WhatsApp']),
      ...(changes.token ? ['token'] : []),
      ...(changes.segredo ? ['chave secreta'] : []),
    ])
    return readOficial(tx, deps, line)
  })
}

/** Records the names of the changed fields, never their values. */
async function recordChange(tx: Tx, deps: OficialDeps, session: RequestSession, fields: string[]): Promise<void> {
  if (fields.length === 0) return
  const changed = fields.join(', ')
  const detalhe = `${changed.charAt(0).toUpperCase()}${changed.slice(1)}`
  await recordAuditoria(tx, deps, { acao: 'oficialAlterado', quem: session, detalhe })
  const mensagem = `${session.nome} alterou os dados da API oficial do WhatsApp: ${changed}`
  await insertLog(tx, deps, session.contaId, { tipo: 'user', mensagem })
}

function newOficialLine({ ids, vault }: OficialDeps, line: LineKey): OficialLine {
  return {
    ...line,
    telefoneId: '',
    contaWhatsappId: '',
    token: '',
    segredo: '',
    verificacao: sealSecret(vault, line.linhaId, 'verificacao', ids.token()),
    endereco: ids.token(),
  }
}
