import { useState, type FormEvent } from 'react'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useApagarTitular } from './consultas.ts'

export interface ApagarClienteProps {
  readonly aberto: boolean
  readonly nome: string
  /** Empty when the service hides it. */
  readonly telefone: string
  readonly procurado: string
  readonly onFechar: () => void
  readonly onApagado: () => void
}

/** Erasure cannot be undone, so the user types the number again. */
export function ApagarCliente({ aberto, nome, onFechar, ...resto }: ApagarClienteProps) {
  return (
    <Dialog
      aberto={aberto}
      titulo={nome === '' ? 'Apagar os dados deste cliente?' : `Apagar os dados de ${nome}?`}
      onFechar={onFechar}
    >
      <Pergunta onFechar={onFechar} {...resto} />
    </Dialog>
  )
}

const soDigitos = (escrito: string): string => escrito.replace(/\D/g, '')

/** Accepts the number with or without country code 55, in any format. A hidden number must match the search exactly. */
function mesmoNumero(escrito: string, telefone: string, procurado: string): boolean {
  if (telefone === '') return escrito.trim() === procurado
  const digitos = soDigitos(escrito)
  return digitos === telefone || `55${digitos}` === telefone
}

function Pergunta({ telefone, procurado, onFechar, onApagado }: Omit<ApagarClienteProps, 'aberto' | 'nome'>) {
  const [escrito, setEscrito] = useState('')
  const apagar = useApagarTitular()
  const confere = mesmoNumero(escrito, telefone, procurado)

  async function confirmar(evento: FormEvent): Promise<void> {
    evento.preventDefault()
    if (!confere || apagar.isPending) return
    try {
      await apagar.mutateAsync(procurado)
    } catch {
      return
    }
    onFechar()
    onApagado()
  }

  return (
    <form noValidate onSubmit={(evento) => void confirmar(evento)} className="grid gap-4">
      <p className="text-muted">
        Saem as conversas, os arquivos, as avaliações e o que a IA guardou, aqui e nas cópias que forem restauradas. Uma
        conversa aberta termina na hora. <strong className="text-ink">Não dá para desfazer.</strong> O celular da
        empresa não é alterado: apague a conversa nele também.
      </p>
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's one field
        autoFocus
        rotulo={
          <>
            Para confirmar, digite{' '}
            <span className="break-all text-danger-ink">{telefone === '' ? procurado : formatPhone(telefone)}</span>
          </>
        }
        inputMode="tel"
        autoComplete="off"
        value={escrito}
        onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
      />
      {apagar.error !== null && (
        <p role="alert" className="font-semibold text-danger-ink">
          {mensagemDe(apagar.error)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onFechar}>
          Voltar
        </Button>
        <Button type="submit" variante="danger" className="min-h-11" disabled={!confere} ocupado={apagar.isPending}>
          {apagar.isPending ? 'Apagando…' : 'Apagar para sempre'}
        </Button>
      </div>
    </form>
  )
}
