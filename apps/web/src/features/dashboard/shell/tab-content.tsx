import type { Aba } from '@balcao/contract/constants'
import { type ComponentType, lazy } from 'react'
import { LazyPart } from '#shared/ui/lazy-part.tsx'

const RestrictedAccess = lazy(async () => ({ default: (await import('./restricted-access.tsx')).RestrictedAccess }))

export interface TabContentProps {
  readonly allowed: boolean
  readonly permitted: Aba | null
  readonly component: ComponentType
}

export function TabContent({ allowed, permitted, component: Conteudo }: TabContentProps) {
  return <LazyPart name="esta aba">{allowed ? <Conteudo /> : <RestrictedAccess permitida={permitted} />}</LazyPart>
}
