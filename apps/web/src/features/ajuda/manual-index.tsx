import { Link } from '@tanstack/react-router'
import { ChevronRight, SearchX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { TEMAS } from 'virtual:manual'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { searchTemas, type Tema } from './tema.ts'

function TemaCard({ tema, texto }: { tema: Tema; texto: string }) {
  return (
    <li>
      <Link
        to="/ajuda/{-$tema}"
        params={{ tema: tema.id }}
        className="card flex h-full items-start gap-3 p-4 hover:border-brand hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-bold">{tema.titulo}</span>
          <span className="mt-0.5 block text-sm text-muted">{texto}</span>
        </span>
        <ChevronRight size={18} aria-hidden className="mt-0.5 flex-none text-muted" />
      </Link>
    </li>
  )
}

export function ManualIndex() {
  useTitle('Ajuda')
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const found = wanted === '' ? TEMAS.map((tema) => ({ tema, excerpt: tema.resumo })) : searchTemas(TEMAS, wanted)
  return (
    <>
      <h1 className="text-3xl font-extrabold tracking-[-0.03em] sm:text-4xl">Ajuda</h1>
      <p className="mt-2 max-w-[62ch] text-lg text-muted">O manual do Balcão, em frases curtas. Procure ou escolha.</p>
      <div role="search" className="mt-6 max-w-md">
        <TextField
          label="Procurar no manual"
          type="search"
          placeholder="feriado, QR Code, senha…"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {wanted !== '' &&
          found.length > 0 &&
          (found.length === 1 ? '1 página fala disso' : `${found.length} páginas falam disso`)}
      </p>
      {found.length === 0 ? (
        <EmptyState
          title={`Nada sobre “${wanted}”`}
          icon={<SearchX size={22} aria-hidden />}
          action={<Button onClick={() => setSearch('')}>Limpar busca</Button>}
        >
          Tente uma palavra só, como “fila” ou “foto”.
        </EmptyState>
      ) : (
        <ul className="mt-2 grid gap-3 sm:grid-cols-2">
          {found.map(({ tema, excerpt }) => (
            <TemaCard key={tema.id} tema={tema} texto={excerpt} />
          ))}
        </ul>
      )}
    </>
  )
}
