import { type Horario, menuSchema } from '@balcao/contract/entities/config'
import { weekError } from './horario/week.ts'
import { closeMenuDraft, type MenuDraft } from './menu/menu-draft.ts'

export interface MenuEdit {
  readonly draft: MenuDraft
  readonly horario: Horario
}

/** Validates an edit. Loaded with the first save, because the schema is large. */
export function menuEditError({ draft, horario }: MenuEdit): string | null {
  const parsed = menuSchema.safeParse(closeMenuDraft(draft))
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'Confira os campos do menu'
  const missing = weekError(horario)
  if (missing !== null) document.getElementById('horario')?.setAttribute('open', '')
  return missing
}
