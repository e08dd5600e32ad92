import type { ReactNode } from 'react'
import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Confirmar } from './confirmar.tsx'

export interface SairSemSalvarProps {
  readonly guarda: ReturnType<typeof useUnsavedGuard>
  readonly children: ReactNode
}

export function SairSemSalvar({ guarda, children }: SairSemSalvarProps) {
  return (
    <Confirmar
      aberto={guarda.perguntando}
      titulo="Sair sem salvar?"
      confirmar="Sair sem salvar"
      voltar="Continuar editando"
      onConfirmar={guarda.sair}
      onFechar={guarda.ficar}
    >
      {children}
    </Confirmar>
  )
}
