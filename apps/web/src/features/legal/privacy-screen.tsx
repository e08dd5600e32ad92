export function PrivacyScreen() {
  return <main>Em construção</main>
}
