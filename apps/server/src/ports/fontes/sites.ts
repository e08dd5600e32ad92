/** The site cannot be asked. `message` is Portuguese, for the owner. */
export class SiteRefused extends Error {
  override readonly name = 'SiteRefused'
}

export interface SiteAnswer {
  readonly status: number
  readonly tipo: string
  readonly location: string | null
  readonly text: () => Promise<string>
}

/** Pages of public sites. */
export interface Sites {
  /**
   * Asks one page and follows no redirect. Throws `SiteRefused` for an address that is private at this moment, also by its
   * name, and for a page that is too long or too slow.
   */
  readonly ask: (url: URL, signal?: AbortSignal) => Promise<SiteAnswer>
}
