import { type MenuConfig, menuSchema } from '@balcao/contract/entities/config'

/** The first fault of a menu as a sentence, or null. Its schema comes with the first save. */
export function faltaNoMenu(menu: MenuConfig): string | null {
  const lido = menuSchema.safeParse(menu)
  return lido.success ? null : (lido.error.issues[0]?.message ?? 'Confira os campos do menu')
}
