import type { NavigateOptions } from '@tanstack/react-router'
import type { EquipePanelId } from '#shared/equipe-panels.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The previous history entry is the tab itself, so closing goes back. */
    sobreAAba?: boolean | undefined
  }
}

export const EQUIPE_MENU_ID = 'menu-da-equipe'

/** The open conversa is not in the URL of the equipe page: it returns with Back. */
export function equipePanelLink(painel: EquipePanelId) {
  return {
    to: '/dashboard',
    search: { aba: 'atendimento', painel },
    state: { sobreAAba: true },
  } as const satisfies NavigateOptions
}
