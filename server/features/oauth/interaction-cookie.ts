// The cookie that binds an interaction to its browser; apart from the provider, which a start does not load.

export const INTERACTION_COOKIE = 'vedette_interaction';
