import type { Aba } from '@balcao/contract/constants'
import { type ComponentType, lazy } from 'react'
import { SobDemanda } from '#shared/ui/sob-demanda.tsx'

const AcessoRestrito = lazy(async () => ({ default: (await import('./acesso-restrito.tsx')).AcessoRestrito }))

export interface ConteudoDaAbaProps {
  readonly liberada: boolean
  readonly permitida: Aba | null
  readonly componente: ComponentType
}

export function ConteudoDaAba({ liberada, permitida, componente: Conteudo }: ConteudoDaAbaProps) {
  return <SobDemanda oQue="esta aba">{liberada ? <Conteudo /> : <AcessoRestrito permitida={permitida} />}</SobDemanda>
}
