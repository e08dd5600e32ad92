import * as z from 'zod/mini'
import {
  LINK_PRIVACIDADE,
  PRIVACIDADE_PADRAO,
  type Privacidade,
  type PrivacidadePatch,
} from '@balcao/contract/entities/lgpd'
import type { ConsentimentoAct } from '@balcao/engine/effect'
import { contaId, sql, value, columns } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { contextChanges } from '#modules/contas/index.ts'

const findRow = oneRow(
  'lgpd: find privacidade',
  z.object({
    retencaoDias: z.int(),
    guardaLegal: z.boolean(),
    avisoAtivo: z.boolean(),
    avisoVersao: z.int(),
    texto: z.nullable(z.string()),
  }),
  sql`select p.retencao_dias, p.guarda_legal, p.aviso_ativo, p.aviso_versao, a.texto
      from privacidade p left join avisos_privacidade a on a.conta_id = p.conta_id and a.versao = p.aviso_versao
      where p.conta_id = ${contaId}`,
  { prepared: true },
)

export const readController = oneValue(
  'lgpd: read controller',
  z.string(),
  sql`select empresa as value from contas where id = ${contaId}`,
)

const lockConta = noRows('lgpd: lock conta', sql`select 1 from contas where id = ${contaId} for update`)

const insertAviso = oneValue(
  'lgpd: insert aviso',
  z.int(),
  sql`insert into avisos_privacidade (conta_id, versao, texto)
      select ${contaId}, coalesce(max(versao), 0) + 1, ${value('texto', 'text')}
      from avisos_privacidade where conta_id = ${contaId} returning versao as value`,
)

const upsertPrivacidade = noRows(
  'lgpd: upsert privacidade',
  sql`insert into privacidade (conta_id, retencao_dias, guarda_legal, aviso_ativo, aviso_versao)
      values (${contaId}, ${value('retencaoDias', 'int')}, ${value('guardaLegal', 'bool')}, ${value('avisoAtivo', 'bool')},
        ${value('avisoVersao', 'int')})
      on conflict (conta_id) do update set retencao_dias = excluded.retencao_dias, guarda_legal = excluded.guarda_legal,
        aviso_ativo = excluded.aviso_ativo, aviso_versao = excluded.aviso_versao`,
)

async function findPrivacidade(tx: Tx, contaId: string): Promise<{ privacidade: Privacidade; avisoVersao: number }> {
  const row = await findRow(tx, { contaId })
  if (row === null) return { privacidade: PRIVACIDADE_PADRAO, avisoVersao: 0 }
  const { retencaoDias, guardaLegal, avisoAtivo, avisoVersao, texto } = row
  const aviso = { ativo: avisoAtivo, texto: texto ?? PRIVACIDADE_PADRAO.aviso.texto }
  return { privacidade: { retencaoDias, guardaLegal, aviso }, avisoVersao }
}

export async function loadPrivacidade(tx: Tx, contaId: string): Promise<Privacidade> {
  return (await findPrivacidade(tx, contaId)).privacidade
}

export async function loadAviso(
  tx: Tx,
  { settings }: Pick<Deps, 'settings'>,
  contaId: string,
): Promise<{ texto: string; versao: number } | null> {
  const { privacidade, avisoVersao } = await findPrivacidade(tx, contaId)
  if (!privacidade.aviso.ativo) return null
  const texto = privacidade.aviso.texto.replaceAll(LINK_PRIVACIDADE, `${settings.urlPublica}/privacy`)
  return { texto, versao: avisoVersao }
}

/**
 * Updates the given fields and returns the result. A changed text gets a new version number, which consents
 * reference.
 */
export async function savePrivacidade(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'bots'>,
  session: RequestSession,
  change: PrivacidadePatch,
): Promise<Privacidade> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    // Serialises changes, so two texts cannot get the same number.
    await lockConta(tx, { contaId })
    const current = await findPrivacidade(tx, contaId)
    const fresh = withChange(current.privacidade, change)
    const changed = current.privacidade.aviso.texto !== fresh.aviso.texto
    const avisoVersao = changed ? await insertAviso(tx, { contaId, texto: fresh.aviso.texto }) : current.avisoVersao
    await upsertPrivacidade(tx, { contaId, ...fresh, avisoAtivo: fresh.aviso.ativo, avisoVersao })
    const detalhe = describeChange(current.privacidade, fresh)
    if (detalhe !== '') await recordAuditoria(tx, deps, { acao: 'privacidadeAlterada', quem: session, detalhe })
    await contextChanges(tx, deps.bots, contaId)
    return fresh
  })
}

function describeChange(before: Privacidade, after: Privacidade): string {
  const onOff = (nome: string, de: boolean, para: boolean, fim: 'o' | 'a'): string =>
    de === para ? '' : `${nome}: de ${de ? 'ligad' : 'desligad'}${fim} para ${para ? 'ligad' : 'desligad'}${fim}`
  return [
    onOff('Guarda legal', before.guardaLegal, after.guardaLegal, 'a'),
    before.retencaoDias === after.retencaoDias
      ? ''
      : `Prazo: de ${before.retencaoDias} para ${after.retencaoDias} dias`,
    onOff('Aviso', before.aviso.ativo, after.aviso.ativo, 'o'),
    before.aviso.texto === after.aviso.texto ? '' : 'Texto do aviso trocado',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function withChange(current: Privacidade, { retencaoDias, guardaLegal, aviso }: PrivacidadePatch): Privacidade {
  return {
    retencaoDias: retencaoDias ?? current.retencaoDias,
    guardaLegal: guardaLegal ?? current.guardaLegal,
    aviso: { ativo: aviso?.ativo ?? current.aviso.ativo, texto: aviso?.texto ?? current.aviso.texto },
  }
}

/** Throws `conflito` while the conta is under a legal hold. */
export async function requireNoLegalHold(tx: Tx, contaId: string): Promise<void> {
  const { guardaLegal } = await loadPrivacidade(tx, contaId)
  if (!guardaLegal) return
  throw new AppError('conflito', {
    erro: 'A guarda legal está ligada: nada pode ser apagado. Desligue-a em Privacidade (LGPD) e tente de novo.',
  })
}

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
