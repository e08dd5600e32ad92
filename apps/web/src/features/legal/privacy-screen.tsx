import { LegalLayout } from './legal-layout.tsx'
import { PRIVACIDADE } from './privacidade.tsx'

export function PrivacyScreen() {
  return (
    <LegalLayout
      titulo="Política de privacidade"
      resumo="Quais dados o Balcão guarda, por quê, por quanto tempo e como você manda neles."
      vigencia="1º de novembro de 2025"
      clausulas={PRIVACIDADE}
      outra={{ to: '/terms', rotulo: 'Termos de uso' }}
    />
  )
}
