import { type ConfigVersionada, menuSchema } from '@balcao/contract/entities/config'
import { faltaNaSemana } from '#features/mensagens/horario/semana.ts'
import { fecharRascunho } from './rascunho.ts'
import type { Edicao } from './use-editor.ts'

/** Validates an edit. Loaded with the first save, because the schema is large. */

export function faltaNoQueSalva({ rascunho, horario }: Edicao): string | null {
  const lido = menuSchema.safeParse(fecharRascunho(rascunho))
  if (!lido.success) return lido.error.issues[0]?.message ?? 'Confira os campos do menu'
  const falta = faltaNaSemana(horario)
  if (falta !== null) document.getElementById('horario')?.setAttribute('open', '')
  return falta
}

export function comEdicao({ base, rascunho, horario }: Edicao): ConfigVersionada {
  return { ...base, menu: fecharRascunho(rascunho), atendimento: { ...base.atendimento, horario } }
}
