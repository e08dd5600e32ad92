import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

const STORAGE_KEY = 'detalhes-da-conversa'
const FOLDED = 'dobrados'

export interface DetailsState {
  readonly panel: boolean
  readonly overlay: boolean
  readonly toggle: () => void
  readonly closeOverlay: () => void
}

/** The overlay is in the URL, so that Back returns to the chat. */
function useOverlay(conversaId: string) {
  const router = useRouter()
  const navigate = useNavigate()
  const open = useSearch({ strict: false, select: ({ detalhes }) => detalhes !== undefined })
  const show = (): void =>
    void navigate({
      to: '/dashboard',
      search: { aba: 'atendimento', c: conversaId, detalhes: 'cliente' },
      state: { sobreAAba: true },
      resetScroll: false,
    })
  const close = (): void => {
    // The dialog also closes when Back already left its address.
    if (router.state.location.search.detalhes === undefined) return
    if (router.state.location.state.sobreAAba === true) router.history.back()
    else
      void navigate({
        to: '/dashboard',
        search: { aba: 'atendimento', c: conversaId },
        replace: true,
        resetScroll: false,
      })
  }
  return { open, show, close }
}

/** The details are a panel on wide screens, which stays folded until it is opened again, and an overlay elsewhere. */
export function useDetails(conversaId: string, wide: boolean): DetailsState {
  const [folded, setFolded] = useState(() => localStorage.getItem(STORAGE_KEY) === FOLDED)
  const overlay = useOverlay(conversaId)
  const togglePanel = (): void => {
    if (folded) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, FOLDED)
    setFolded(!folded)
  }
  return {
    panel: wide && !folded,
    overlay: overlay.open && !wide,
    toggle: wide ? togglePanel : overlay.open ? overlay.close : overlay.show,
    closeOverlay: overlay.close,
  }
}
