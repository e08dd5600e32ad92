import { Confirmar } from './confirmar.tsx'

export interface ConfigMudouProps {
  readonly aberto: boolean
  readonly onRecarregar: () => void | Promise<void>
  readonly onFechar: () => void
}

export function ConfigMudou({ aberto, onRecarregar, onFechar }: ConfigMudouProps) {
  return (
    <Confirmar
      aberto={aberto}
      titulo="A configuração mudou em outra janela"
      confirmar="Recarregar e perder minhas alterações"
      voltar="Continuar editando"
      onConfirmar={onRecarregar}
      onFechar={onFechar}
    >
      Alguém salvou a configuração depois que você começou a editar. Para não apagar o que foi salvo, recarregue antes
      de continuar.
    </Confirmar>
  )
}
