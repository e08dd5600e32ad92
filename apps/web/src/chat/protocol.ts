import type { VisitanteInput } from '@balcao/contract/entities/webchat'

/** Messages between the script on the site and the frame. The site owns the storage, because browsers partition a frame's. */

/** The frame is loaded. It holds no secret, so it goes to any parent. */
export const READY = 'balcao:pronto'
/** Values with this prefix belong to one tab. */
export const TAB_PREFIX = 'aba:'

export interface SiteStart {
  readonly balcao: 'inicio'
  readonly stored: Readonly<Record<string, string>>
  readonly pagina: string
  readonly identidade?: NonNullable<VisitanteInput['identidade']>
}

export type FrameSize = 'hidden' | 'closed' | 'open'

/** From the frame, over the port. */
export type FrameOrder = { readonly set: string; readonly value: string | null } | { readonly size: FrameSize }

/** To the frame, over the port: another tab stored a value. */
export interface SiteChange {
  readonly name: string
  readonly value: string | null
}
