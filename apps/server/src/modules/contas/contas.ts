import * as z from 'zod/mini'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import { mainLineOf } from '#db/statement/line.ts'
import { changes, contaId, linhaId, rawSql, sql, type Sql, value } from '#db/statement/sql.ts'
import { noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Bots, LineKey } from '#ports/bots.ts'

export const insertConta = noRows(
  'contas: insert',
  sql`insert into contas
        (id, empresa, plano, plano_desejado, limite_mensagens_dia, componentes_permitidos, sem_limite, criada_em)
      values (${contaId}, ${value('empresa', 'text')}, 'gratuito', ${value('planoDesejado', 'text?')},
        ${value('limiteMensagensDia', 'int')}, ${value('componentesPermitidos', 'jsonb')}, ${value('semLimite', 'bool')},
        ${value('criadaEm', 'timestamptz')})`,
)

export const updateConta = noRows(
  'contas: update',
  sql`update contas set ${changes('fields', {
    plano: 'text',
    limiteMensagensDia: 'int',
    limiteLinhas: 'int',
    iaPermitida: 'bool',
    opcoesMenuMaximo: 'int?',
    componentesPermitidos: 'jsonb',
    manutencao: 'bool',
    exigirSegundoFator: 'text',
    sessaoHoras: 'int',
    segurancaVersao: 'int',
    excluidaEm: 'timestamptz?',
  })} where id = ${contaId}`,
)

/**
 * Call it in each change of facts that the bot keeps in memory: configuration, produtos, privacy notice, plan,
 * maintenance.
 */
export const raiseContextVersion = noRows(
  'contas: raise context version',
  sql`update contas set versao_contexto = versao_contexto + 1 where id = ${contaId}`,
)

/** Also drops the facts from the memory of all nodes after the commit. */
export async function contextChanges(tx: Tx, bots: Pick<Bots, 'contextChanged'>, contaId: string): Promise<void> {
  await raiseContextVersion(tx, { contaId })
  tx.afterCommit(() => bots.contextChanged(contaId))
}

export const readTimeZone = oneValue(
  'contas: read time zone',
  z.string(),
  sql`select coalesce((select fuso from contas where id = ${contaId}), '${rawSql(FUSO_PADRAO)}') as value`,
)

const findMainLine = oneValue('contas: find main line', z.string(), sql`select ${mainLineOf(sql`${contaId}`)} as value`)

/** The line that `/bot` and the other routes without a line mean. */
export async function readMainLine(tx: Tx, contaId: string): Promise<LineKey> {
  return { contaId, linhaId: await findMainLine(tx, { contaId }) }
}

/** A version that equals the one before it names the version with its content. */
export const connectionNameOf = <Values>(conta: Sql<Values>) => sql`(
  select o.dados #>> '{whatsapp,clientId}'
    from configuracoes v join configuracoes o on o.conta_id = v.conta_id and o.versao = coalesce(v.igual_a, v.versao)
   where v.conta_id = ${conta} order by v.versao desc limit 1)`

/** The first line is named in the settings. */
export const readConnectionName = oneValue(
  'contas: read connection name',
  z.string(),
  sql`select coalesce(
    (select l.nome from linhas l where l.conta_id = ${contaId} and l.id = ${linhaId} and l.id <> l.conta_id),
    ${connectionNameOf(sql`${contaId}`)}, '') as value`,
)

export const updateTimeZone = noRows(
  'contas: update time zone',
  sql`update contas set fuso = ${value('timeZone', 'text')} where id = ${contaId} and fuso <> ${value('timeZone', 'text')}`,
)

const markPeople = noRows(
  'contas: mark people deleted',
  sql`update usuarios set excluido_em = ${value('at', 'timestamptz')}, volta_com_conta = true
      where conta_id = ${contaId} and excluido_em is null`,
)

/** The e-mail addresses stay reserved until the conta is erased. */
export async function markContaDeleted(tx: Tx, contaId: string, at: Date): Promise<void> {
  await markPeople(tx, { contaId, at })
  await updateConta(tx, { contaId, fields: { excluidaEm: at } })
}

const restorePeople = noRows(
  'contas: restore people',
  sql`update usuarios set excluido_em = null, volta_com_conta = false where conta_id = ${contaId} and volta_com_conta`,
)

export async function restoreConta(tx: Tx, contaId: string): Promise<void> {
  await restorePeople(tx, { contaId })
  await updateConta(tx, { contaId, fields: { excluidaEm: null } })
}
