import type { NavigateOptions } from '@tanstack/react-router'
import type { Painel } from '#shared/paineis.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page before this one is the tab underneath: leaving is going back to it. */
    sobreAAba?: boolean | undefined
  }
}

/** Where focus returns to. */
export const MENU_DA_EQUIPE = 'menu-da-equipe'

/** From the tab to a page. The open conversation is not in the address of the page: it comes back with Back. */
export function irAoPainel(painel: Painel) {
  return {
    to: '/dashboard',
    search: { aba: 'atendimento', painel },
    state: { sobreAAba: true },
  } as const satisfies NavigateOptions
}
