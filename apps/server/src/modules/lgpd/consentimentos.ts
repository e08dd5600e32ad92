import type { ConsentimentoAct } from '@balcao/engine/effect'
import { columns, sql } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
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

const insertRows = noRows(
  'consentimentos-inserir',
  sql`
insert into consentimentos (conta_id, id, contato_id, ato, aviso_versao, canal, criado_em)
select conta_id, id, contato_id, act, case when act = 'aviso' then aviso_versao end, channel, em from ${columns('i', {
    contaId: 'uuid',
    id: 'uuid',
    contatoId: 'uuid',
    act: 'text',
    avisoVersao: 'int?',
    channel: 'text',
    em: 'timestamptz',
  })}`,
  { prepared: true },
)

/** Proof for LGPD: when the notice was given or the request made, over which service, and which version of the notice. */
export async function insertConsentimentos(tx: Tx, consentimentos: readonly NewConsentimento[]): Promise<void> {
  if (consentimentos.length > 0) await insertRows(tx, { i: consentimentos })
}
