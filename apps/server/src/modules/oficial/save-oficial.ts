import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { resolveSentKey, lockConta, maskKey } from '#modules/configuracao/index.ts'
import { type OficialContaRow, findOficialConta, upsertOficialConta, openSecret, sealSecret } from './repository.ts'

type OficialDeps = Pick<Deps, 'db' | 'vault' | 'ids' | 'settings'>

export const WEBHOOK_PATH = '/api/webhooks/oficial'

export async function readOficial(
  tx: Tx,
  { vault, settings }: Pick<OficialDeps, 'vault' | 'settings'>,
  contaId: string,
): Promise<Oficial> {
  const conta = await findOficialConta(tx, contaId)
  if (conta === null) return { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }
  return {
    telefoneId: conta.telefone_id,
    contaWhatsappId: conta.conta_whatsapp_id,
    token: maskKey(openSecret(vault, contaId, 'token', conta.token)),
    segredo: maskKey(openSecret(vault, contaId, 'segredo', conta.segredo)),
    webhook: {
      url: `${settings.urlPublica}${WEBHOOK_PATH}/${conta.endereco}`,
      verificacao: openSecret(vault, contaId, 'verificacao', conta.verificacao),
    },
  }
}

/**
 * Saves the settings. Masked keys keep their stored value. The webhook address is created with the first save and
 * never changes.
 */
export function saveOficial(deps: OficialDeps, contaId: string, input: OficialInput): Promise<Oficial> {
  const { db, vault } = deps
  return db.transaction(contaId, async (tx) => {
    // Serialises saves, because masked keys are read from the stored row.
    await lockConta(tx, contaId)
    const current = (await findOficialConta(tx, contaId)) ?? newOficialConta(deps, contaId)
    const key = (qual: 'token' | 'segredo'): string =>
      sealSecret(vault, contaId, qual, resolveSentKey(openSecret(vault, contaId, qual, current[qual]), input[qual]))
    await upsertOficialConta(tx, {
      ...current,
      telefone_id: input.telefoneId,
      conta_whatsapp_id: input.contaWhatsappId,
      token: key('token'),
      segredo: key('segredo'),
    })
    return readOficial(tx, deps, contaId)
  })
}

function newOficialConta({ ids, vault }: OficialDeps, contaId: string): OficialContaRow {
  return {
    conta_id: contaId,
    telefone_id: '',
    conta_whatsapp_id: '',
    token: '',
    segredo: '',
    verificacao: sealSecret(vault, contaId, 'verificacao', ids.token()),
    endereco: ids.token(),
  }
}
