import type { ConsentimentoAct } from '@balcao/engine/effect'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

export interface NewConsentimento {
  readonly contaId: string
  readonly id: string
  readonly contatoId: string
  readonly act: ConsentimentoAct
  readonly avisoVersao: number | null
  readonly channel: string
  readonly em: Date
}

const INSERT_CONSENTIMENTOS_SQL = `
insert into consentimentos (conta_id, id, contato_id, ato, aviso_versao, canal, criado_em)
select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::timestamptz[])`

/** Proof for LGPD: when the notice was given or the request made, over which service, and which version of the notice. */
export async function insertConsentimentos(tx: Tx, consentimentos: readonly NewConsentimento[]): Promise<void> {
  if (consentimentos.length === 0) return
  await tx.queryNamed('consentimentos-inserir', INSERT_CONSENTIMENTOS_SQL, [
    plainArray(consentimentos.map(({ contaId }) => contaId)),
    plainArray(consentimentos.map(({ id }) => id)),
    plainArray(consentimentos.map(({ contatoId }) => contatoId)),
    plainArray(consentimentos.map(({ act }) => act)),
    plainArray(consentimentos.map(({ act, avisoVersao }) => (act === 'aviso' ? avisoVersao : null))),
    textArray(consentimentos.map(({ channel }) => channel)),
    plainArray(consentimentos.map(({ em }) => em.toISOString())),
  ])
}
