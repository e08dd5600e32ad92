import { createContext, use, useState } from 'react'
import { hasExpired } from './file-address.ts'

/** Reads the message of a file again. Resolves to its current address, or undefined if the file is gone. */
export type RefreshFile = (url: string) => Promise<string | undefined>

/** Set by chats whose files have addresses that expire. */
export const RefreshFileContext = createContext<RefreshFile | null>(null)

interface FileState {
  /** The file could not be loaded, also under a fresh address. */
  readonly broken: boolean
  readonly onBroken: () => void
}

/** A file that does not load gets a fresh address: the old one may have expired. A valid address is not refreshed twice. */
export function useFile(url: string): FileState {
  const refresh = use(RefreshFileContext)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const [freshUrl, setFreshUrl] = useState<string | null>(null)
  const retry = async (): Promise<void> => {
    const hopeless = refresh === null || (freshUrl === url && !hasExpired(url))
    const next = hopeless ? undefined : await refresh(url).catch(() => undefined)
    if (next === undefined || next === url) setBrokenUrl(url)
    else setFreshUrl(next)
  }
  return { broken: brokenUrl === url, onBroken: () => void retry() }
}
