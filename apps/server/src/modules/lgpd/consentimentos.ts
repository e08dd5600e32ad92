import type { ConsentimentoAct } from '@balcao/engine/effect'
import type { Tx } from '#db/transaction.ts'

interface NewConsentimento {
  readonly id: string
  readonly contatoId: string
  readonly act: ConsentimentoAct
  readonly avisoVersao: number | null
  readonly channel: string
  readonly em: Date
}

/** Proof for LGPD: when the notice was given or the request made, over which service, and which version of the notice. */
export async function insertConsentimento(tx: Tx, contaId: string, input: NewConsentimento): Promise<void> {
  const { id, contatoId, act, avisoVersao, channel, em } = input
  await tx.query(
    `insert into consentimentos (conta_id, id, contato_id, ato, aviso_versao, canal, criado_em)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [contaId, id, contatoId, act, act === 'aviso' ? avisoVersao : null, channel, em],
  )
}
