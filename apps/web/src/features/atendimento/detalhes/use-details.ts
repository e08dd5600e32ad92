import { useState } from 'react'

const STORAGE_KEY = 'detalhes-da-conversa'
const FOLDED = 'dobrados'

export interface DetailsState {
  readonly panel: boolean
  readonly overlay: boolean
  readonly toggle: () => void
  readonly closeOverlay: () => void
}

/** The details are a panel on wide screens, which stays folded until it is opened again, and an overlay elsewhere. */
export function useDetails(wide: boolean): DetailsState {
  const [folded, setFolded] = useState(() => localStorage.getItem(STORAGE_KEY) === FOLDED)
  const [overlay, setOverlay] = useState(false)
  const togglePanel = (): void => {
    if (folded) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, FOLDED)
    setFolded(!folded)
  }
  return {
    panel: wide && !folded,
    overlay: overlay && !wide,
    toggle: wide ? togglePanel : () => setOverlay(!overlay),
    closeOverlay: () => setOverlay(false),
  }
}
