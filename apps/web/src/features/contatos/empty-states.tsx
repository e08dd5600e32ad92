import { BookUser, SearchX } from 'lucide-react'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'

export function NoContatos({ onNew, onImport }: { readonly onNew: () => void; readonly onImport: () => void }) {
  const { tipo } = useUsuario()
  return (
    <div className="card">
      <EmptyState
        title="Nenhum contato ainda"
        icon={<BookUser size={22} aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" size="touch" onClick={onNew}>
              Novo contato
            </Button>
            {tipo !== 'operador' && (
              <Button size="touch" onClick={onImport}>
                Importar
              </Button>
            )}
          </div>
        }
      >
        Quem escreve para a loja aparece aqui. Você também pode anotar ou importar contatos.
      </EmptyState>
    </div>
  )
}

export function NoMatchingContatos({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nenhum contato encontrado"
        icon={<SearchX size={22} aria-hidden />}
        action={
          <Button size="touch" onClick={onClear}>
            Limpar filtros
          </Button>
        }
      >
        Procure por parte do nome, do telefone ou do usuário com @.
      </EmptyState>
    </div>
  )
}
