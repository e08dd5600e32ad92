import { type ConfigVersionada, menuSchema } from '@balcao/contract/entities/config'
import { faltaNaSemana } from '#features/mensagens/horario/semana.ts'
import { fecharRascunho } from './rascunho.ts'
import type { Edicao } from './use-editor.ts'

/** What is about to be saved, with the first fault found in it. Comes with the first save: the schema is not light. */

export function faltaNoQueSalva({ rascunho, horario }: Edicao): string | null {
  const lido = menuSchema.safeParse(fecharRascunho(rascunho))
  if (!lido.success) return lido.error.issues[0]?.message ?? 'Confira os campos do menu'
  const falta = faltaNaSemana(horario)
  if (falta !== null) document.getElementById('horario')?.setAttribute('open', '')
  return falta
}

/** The whole configuration as it will be: the one that was opened, with the menu and the hours as edited. */
export function comEdicao({ base, rascunho, horario }: Edicao): ConfigVersionada {
  return { ...base, menu: fecharRascunho(rascunho), atendimento: { ...base.atendimento, horario } }
}
