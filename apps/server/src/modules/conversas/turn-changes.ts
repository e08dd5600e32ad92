import * as z from 'zod/mini'
import { columns, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { situationColumns, situationRowSchema } from '#modules/leitores/index.ts'
import { cardColumns, cardFields } from './card.ts'

const changedRowSchema = z.extend(situationRowSchema, cardFields)
/** A conversa after the batch changed it. */
export type ChangedRow = z.output<typeof changedRowSchema>

/** Changes of a batch of turns. */
export const updateConversas = manyRows(
  'conversas-mudar',
  changedRowSchema,
  sql`
update conversas v set
  status = coalesce(i.status, v.status), setor = coalesce(i.setor, v.setor), protocolo = coalesce(i.protocolo, v.protocolo),
  aguardando_desde = case when i.status = 'aguardando' then i.em else v.aguardando_desde end,
  finalizada_em = case when i.status = 'finalizada' then i.em else v.finalizada_em end,
  motivo_fim = coalesce(i.motivo_fim, v.motivo_fim),
  nao_lidas = case when i.lidas then 0 else v.nao_lidas + i.nao_lidas end, ultima_atividade = i.em,
  agente_meta = coalesce(i.agente_meta, v.agente_meta), revisao = v.revisao + 1,
  sem_resposta_desde = case when i.lidas or coalesce(i.agente_meta, v.agente_meta) then null
    when i.status = 'aguardando' or (i.nao_lidas > 0 and v.status in ('aguardando', 'em_atendimento'))
      then coalesce(v.sem_resposta_desde, i.em) else v.sem_resposta_desde end
from ${columns('i', {
    contaId: 'uuid',
    id: 'uuid',
    status: 'text?',
    setor: 'text?',
    protocolo: 'text?',
    motivoFim: 'text?',
    naoLidas: 'int',
    em: 'timestamptz',
    lidas: 'bool',
    agenteMeta: 'bool?',
    card: 'bool',
  })}
where v.conta_id = i.conta_id and v.id = i.id returning ${situationColumns}, ${cardColumns('i.card')}`,
  { prepared: true },
)
