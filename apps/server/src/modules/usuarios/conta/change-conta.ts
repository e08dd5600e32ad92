import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import {
  type UsuarioAdmin,
  type ComponentesPatch,
  componentesPermitidosSchema,
} from '@balcao/contract/entities/usuario'
import { NOME_DO_PLANO, type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { contextChanges, updateConta } from '#modules/contas/index.ts'
import {
  type UsuarioRef,
  getUsuarioAdmin,
  lockUsuario,
  toUsuarioAdmin,
  type UsuarioWithUso,
} from '#modules/usuarios/repository.ts'
import { resetDayUse } from '#modules/limites/index.ts'
import { inPortuguese, describePermissionChange } from '#modules/usuarios/rules.ts'

export type ChangeContaDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'bots' | 'forgetSessions' | 'realtime'>

export interface ContaChange {
  readonly acao: AcaoAuditoria
  readonly quem: RequestSession
  readonly id: string
  readonly apply: (tx: Tx, target: UsuarioRef, before: UsuarioWithUso) => Promise<string>
}

/**
 * Applies one change of a conta by an administrator. It takes effect with the next message of the bot and the next
 * request of the panel.
 */
export async function changeConta(
  deps: ChangeContaDeps,
  { acao, quem, id, apply }: ContaChange,
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    const target = await lockUsuario(tx, id)
    await contextChanges(tx, deps.bots, target.contaId)
    // Before the callbacks of `apply`, which disconnect sockets.
    tx.afterCommit(() => deps.forgetSessions())
    const detalhe = await apply(tx, target, await getUsuarioAdmin(tx, deps.clock.now(), id))
    await recordAct(tx, deps, { acao, quem, detalhe }, target)
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

export function recordAct(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  act: { readonly acao: AcaoAuditoria; readonly quem: RequestSession; readonly detalhe?: string },
  { id, nome, email, contaId }: Pick<UsuarioRef, 'id' | 'nome' | 'email' | 'contaId'>,
): Promise<void> {
  return recordAuditoria(tx, deps, { ...act, alvo: { id, nome, email }, contaId })
}

export function changeLimite(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  limiteMensagensDia: number,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'limiteAlterado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await updateConta(tx, { contaId, fields: { limiteMensagensDia } })
      return `De ${inPortuguese(before.limiteMensagensDia)} para ${inPortuguese(limiteMensagensDia)} mensagens por dia`
    },
  })
}

/** Lines above a lower limit stay. */
export function changeLimiteLinhas(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  limiteLinhas: number,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'limiteLinhasAlterado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await updateConta(tx, { contaId, fields: { limiteLinhas } })
      return `De ${before.limiteLinhas} para ${limiteLinhas}`
    },
  })
}

/** Applies the limits of the plan. A larger menu is kept; its next change is checked. */
export function applyPlano(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  plano: Plano,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'planoAplicado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await writePlano(tx, contaId, plano)
      return before.plano === plano
        ? `Plano ${NOME_DO_PLANO[plano]} reaplicado`
        : `De ${NOME_DO_PLANO[before.plano]} para ${NOME_DO_PLANO[plano]}`
    },
  })
}

export async function writePlano(tx: Tx, contaId: string, plano: Plano): Promise<void> {
  const { limiteMensagensDia, limiteLinhas, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  await updateConta(tx, { contaId, fields: { plano, limiteMensagensDia, limiteLinhas, iaPermitida, opcoesMenuMaximo } })
}

export function resetCounter(deps: ChangeContaDeps, actor: RequestSession, id: string): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'contadorZerado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await resetDayUse(tx, { contaId, now: deps.clock.now() })
      return `Estava em ${inPortuguese(before.mensagensHoje)}`
    },
  })
}

export function changePermissions(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  changed: ComponentesPatch,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'permissoesAlteradas', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      const previous = before.componentesPermitidos
      const componentes = componentesPermitidosSchema.parse({ ...previous, ...changed })
      await updateConta(tx, { contaId, fields: { componentesPermitidos: componentes } })
      tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
      return describePermissionChange(previous, componentes)
    },
  })
}
